"""The suite's cases: reading and choosing them, their chunkings, and what they say in all. No case is run here."""
