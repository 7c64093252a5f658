"""Implementations under test: the protocol, how each is started and spoken to, their environments, a scaffold."""
