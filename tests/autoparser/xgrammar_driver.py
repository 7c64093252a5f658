"""XGrammar in a process of its own: a request a line, in JSON, and its answer.

XGrammar asks for torch and transformers when it's imported, and uses them for masks and tokenizers only. Texts are
matched without; so that they needn't be installed, something stands in for them.
"""

from __future__ import annotations

import json
import sys
import types
from typing import Any


class StandIn(types.ModuleType):
    """A module that has a class for each name that is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = type(name, (), {"__init__": lambda *_, **__: None})
        setattr(self, name, found)
        return found


def answers() -> None:
    import tvm_ffi  # type: ignore[import-not-found]  # noqa: F401  # before the stand-in, which it would try

    sys.modules["torch"], sys.modules["transformers"] = StandIn("torch"), StandIn("transformers")
    import xgrammar  # type: ignore[import-not-found]
    from xgrammar.testing import _is_grammar_accept_string as accepts  # type: ignore[import-not-found]

    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "gbnf" in request:
                grammar = xgrammar.Grammar.from_ebnf(request["gbnf"])
            else:
                grammar = xgrammar.Grammar.from_structural_tag(json.dumps(request["structural_tag"]))
            answer: Any = [accepts(grammar, text) for text in request["texts"]]
        except Exception as error:  # whatever it is, it is about this request
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    answers()
