"""The cases of real models: what they hold for each family, and that their prefixes are what chat templates write.

`model_prompts.json` tells, for each family, its chat template in a published package, and the conversations of its
cases. A case's prefix is a rendered prompt from the first user's turn on: what is before it, often a long system
message, is dropped by the anchor anyway (ANCHOR-1). `made_up` names the cases whose prefix no chat template writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from antiphon_conformance import resources
from antiphon_portability.chat import Renderer
from antiphon_portability.lint import lint
from downloads import LLAMA_CPP, TRL, Unavailable, llama_chat_templates, trl_chat_templates
from kinds_of_output import kinds_for

LEAST_FAMILIES, LEAST_CASES = 30, 12


def read_all(folder: Path) -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


FAMILIES: Final = read_all(resources.find("suite/models"))
TEMPLATES: Final = read_all(resources.find("suite/templates"))
PROMPTS: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("model_prompts.json").read_text("utf-8"))
RENDERED: Final = [family for family, prompts in PROMPTS.items() if "chat_template" in prompts]
PACKAGES: Final[dict[str, Callable[[], dict[str, str]]]] = {
    "trl": trl_chat_templates,
    "llama.cpp": llama_chat_templates,
}
VERSIONS: Final = {
    "trl": TRL.replace("==", " "),
    "llama.cpp": LLAMA_CPP.replace("==", " "),
}
LACKING: Final = {
    "apriel1.6": {"answer only"},  # without its marker, an answer is reasoning
    "deepseek-r1-distill": {"several turns"},  # its prompts have the anchor once, in the last turn
    "ernie": {"several turns"},  # its chat template isn't at hand
    "functionary3.2": {"a mark quoted"},  # its marks are `>>>` and a name
    "inkling": {"several turns"},  # its chat template isn't at hand
    "minimax-m3": {"nested arguments"},  # they're nested tags, which no content kind reads
    "rwkv-world": {"a mark quoted"},  # its marks are ordinary words
}
"""Kinds of outputs that a family has no case of, though its template could."""


def test_there_are_families_enough_and_each_has_its_prompts() -> None:
    assert len(FAMILIES) >= LEAST_FAMILIES
    assert FAMILIES.keys() == PROMPTS.keys()
    assert {family for family in FAMILIES if "reason" in PROMPTS[family]} == {"ernie", "inkling"}


def test_what_the_format_cant_say_is_shown_by_cases() -> None:
    """The cases that annex C of SPEC.md names are there."""
    annex = resources.find_specification().read_text("utf-8").partition("## Annex C.")[2]
    named = re.findall(r"`([a-z0-9.-]+)/([a-z0-9-]+)`", annex)
    assert len(named) >= 25
    missing = [case for family, case in named if case not in {each["id"] for each in FAMILIES[family]["cases"]}]
    assert missing == []


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_a_template_and_cases_enough(family: str) -> None:
    assert FAMILIES[family]["template"] == family
    assert len(FAMILIES[family]["cases"]) >= LEAST_CASES


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_every_kind_of_output_that_it_can_have(family: str) -> None:
    cases = [(case, TEMPLATES[case.get("template", family)]) for case in FAMILIES[family]["cases"]]
    missing = {
        name
        for name, is_kind in kinds_for(TEMPLATES[family]).items()
        if not any(is_kind(case, template) for case, template in cases)
    }
    assert missing == LACKING.get(family, set())


def chat_template(name: str) -> str:
    """By its package and its file's name. Skips where the package can't be had."""
    package, _, file = name.partition("/")
    try:
        return PACKAGES[package]()[file]
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))


def rendered(family: str, prompt: Mapping[str, Any]) -> str:
    """The prompt of a conversation, as Hugging Face renders it, and what the caller lets the model continue."""
    prompts = PROMPTS[family]
    source = chat_template(prompt.get("chat_template", prompts["chat_template"]))
    given = {key: value for key, value in prompt.items() if key not in ("chat_template", "continued")}
    with Renderer(source, prompts.get("special_tokens")) as renderer:
        return renderer.render(**given, add_generation_prompt=True) + str(prompt.get("continued", ""))


def is_of(prompt: Mapping[str, Any], text: str, prefix: str) -> bool:
    """Whether a prefix is this rendered prompt from the first user's turn on."""
    questions = [turn["content"] for turn in prompt["messages"] if turn["role"] == "user"]
    return text.endswith(prefix) and all(question in prefix for question in questions)


@pytest.mark.parametrize("family", RENDERED)
def test_prefixes_are_what_the_chat_template_renders(family: str) -> None:
    prompts = [(prompt, rendered(family, prompt)) for prompt in PROMPTS[family]["prompts"]]
    made_up = PROMPTS[family].get("made_up", {})
    used: set[int] = set()
    for case in FAMILIES[family]["cases"]:
        fitting = {n for n, (prompt, text) in enumerate(prompts) if is_of(prompt, text, case["prefix"])}
        assert bool(fitting) != (case["id"] in made_up), f"{case['id']}: {case['prefix']!r}"
        used |= fitting
    assert used == set(range(len(prompts))), "no case has this prompt"


@pytest.mark.parametrize("family", RENDERED)
def test_sources_name_the_chat_templates(family: str) -> None:
    prompts = PROMPTS[family]
    for name in [prompts["chat_template"], *(prompt.get("chat_template", "") for prompt in prompts["prompts"])]:
        package, _, file = name.partition("/")
        assert file in FAMILIES[family]["source"]
        assert VERSIONS.get(package, "") in FAMILIES[family]["source"]


@pytest.mark.parametrize("family", RENDERED)
def test_no_template_has_an_error_beside_its_chat_template(family: str) -> None:
    """Warnings and notes are judged one by one in tests/lint; here the anchor is looked for in prompts, too."""
    source, tokens = chat_template(PROMPTS[family]["chat_template"]), PROMPTS[family].get("special_tokens")
    report = lint(TEMPLATES[family], targets=(), chat_template=source, special_tokens=tokens)
    assert [str(finding) for finding in report.findings if finding.rule.severity == "error"] == []
