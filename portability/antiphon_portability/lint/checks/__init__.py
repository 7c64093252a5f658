"""The checks, in groups. A check is a function from a `Context` to its findings."""
