"""The suite's cases: reading, choosing and showing them, their chunkings, their clauses. No case is run here."""
