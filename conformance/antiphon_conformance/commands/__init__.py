"""The commands, a module for each group: each reads its arguments and calls one function of a room."""
