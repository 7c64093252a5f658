"""Running cases: one in all its chunkings, many at once, in shards, repeatedly, against a list of expected failures."""
