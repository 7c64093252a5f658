"""Portability of response templates between regex engines: parse, analyse, rewrite and emit their patterns."""
