"""What a chat template shows of how its model writes: renders of pairs of conversations, compared as llama.cpp does.

`conversations` has the pairs; `comparisons` renders them; `differences` and `markers` hold the texts side by side.
`capabilities`, `reasoning`, `content`, `tools` (with `json_calls`, `tagged_calls`, `call_ids`) and `turns` read what
comes of it; `workarounds` corrects what is known to go wrong. `run` does it all; `results` is what is found.
"""
