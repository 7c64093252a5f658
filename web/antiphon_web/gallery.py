"""The playground's gallery: the suite's real models, each with its template and a few telling outputs.

    python -m antiphon_web.gallery gallery.json

Made when the page is built. It holds nothing but the suite's own data.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from antiphon_conformance import resources
from antiphon_conformance.cases.suite import TEMPLATES, joined_text

from antiphon_web.asking import Json
from antiphon_web.writing import pretty

MODELS: Final = "models"
EXAMPLES: Final = 3
LONGEST: Final = 1_500
"""Code points of an example's text and prefix."""
NAMES: Final[Mapping[str, str]] = {"gpt-oss": "gpt-oss (Harmony)", "smollm": "SmolLM3"}
"""Of families whose files don't begin with their name."""


def gallery() -> Json:
    """An entry for each family: its name, what it is like, examples; as `gallery.ts` of the playground reads it."""
    folder = resources.find("suite")
    return {"families": [_family(folder, path) for path in sorted((folder / MODELS).glob("*.json"))]}


def _family(folder: Path, path: Path) -> Json:
    document = json.loads(path.read_text("utf-8"))
    template = (folder / TEMPLATES / f"{document['template']}.json").read_text("utf-8")
    cases = [case for case in document["cases"] if "template" not in case and _is_plain(case)]
    return {
        "name": NAMES.get(path.stem) or _name(document["description"]),
        "description": document["description"],
        "examples": [_example(case, f"{path.stem}/{case['id']}", template) for case in _telling(cases)],
    }


def _name(description: str) -> str:
    """The model's name, with which a file's description begins."""
    name = description.removeprefix("Outputs of ").removeprefix("the ").removeprefix("a ")
    return name[: min(name.find(mark) % len(name) for mark in (":", ",", " with ", " and of "))].removesuffix(".")


def _is_plain(case: Mapping[str, Any]) -> bool:
    """Whether it shows what the model does, rather than what becomes of a text that is broken or huge."""
    size = len(joined_text(case.get("text", ""))) + len(case.get("prefix") or "")
    return "message" in case["expect"] and not case.get("options") and size <= LONGEST


def _telling(cases: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The cases that show most of what the ones before them don't: fields in the message, and in this order."""
    left, seen = list(cases), set[str]()
    for _ in range(min(EXAMPLES, len(left))):
        best = max(left, key=lambda case: (len(_shown(case) - seen), len(_shown(case))))
        yield best
        left.remove(best)
        seen |= _shown(best)


def _shown(case: Mapping[str, Any]) -> frozenset[str]:
    """What a case shows: pairs of fields whose regions follow each other, tools that type, a head in the prompt."""
    opened = [event["field"] for event in case["expect"].get("events", []) if event["type"] == "region_open"]
    early = [event for event in case["expect"].get("events", []) if event.get("at") == 0]
    pairs = {f"{one} {other}" for one, other in zip(["", *opened], [*opened, ""], strict=True)}
    return frozenset([*pairs, *(["tools"] if case.get("tools") else []), *(["prompt"] if early else [])])


def _example(case: Mapping[str, Any], full_id: str, template: str) -> Json:
    return {
        "id": full_id,
        "title": case["id"].replace("-", " ").capitalize(),
        "description": case["description"],
        "template": template,
        "prefix": case.get("prefix", ""),
        "text": joined_text(case.get("text", "")),
        "tools": pretty(case["tools"]) if case.get("tools") else "",
    }


def main() -> None:
    """Write the file that the first argument names."""
    Path(sys.argv[1]).write_text(json.dumps(gallery(), ensure_ascii=False, separators=(",", ":")), "utf-8")


if __name__ == "__main__":
    main()
