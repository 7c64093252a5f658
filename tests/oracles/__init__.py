"""Independent oracles: what SPEC.md means, written from its text alone and without the reference."""
