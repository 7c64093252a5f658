"""Translations on the engines that are found here, against `regex`. `make engines` is the long form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from antiphon_portability.regex import Note, translate
from antiphon_portability.regex.translate import Form
from downloads import Unavailable
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import examples

from engines import campaign, matrix, sources
from engines.campaign import Patterns
from engines.catalogue import BY_NAME, CI, presence
from engines.compare import Disagreement, Tally, Translate, Trial
from engines.directed_patterns import GRAMMARS, REFERENCES_FIRST
from engines.features import FEATURES
from engines.outcomes import Truth, Undecided
from engines.protocol import Failed, JsonLines, Request, Result
from engines.session import Session
from engines.texts import texts_for

FORMS: tuple[Form, ...] = ("plain", "hit-end")
PARTS = 8
CORE = 2000
"""Random patterns of the core dialect for an engine of continuous integration; others have a tenth of that."""


def compare(patterns: Sequence[str], texts: int, forms: Sequence[Form] = FORMS, *, thorough: bool = False) -> Tally:
    """The patterns on all engines here. Those that aren't of continuous integration have a tenth of the patterns."""
    total = Tally()
    for name in BY_NAME:
        if is_here(name):
            few = patterns if name in CI else patterns[::10]
            total += campaign.run_batch(name, Patterns("", few, texts, thorough), forms)
    return total


def is_here(name: str) -> bool:
    return presence(name).version is not None


def listed(disagreements: Sequence[Disagreement]) -> str:
    return "\n".join(map(str, disagreements[:20]))


@pytest.mark.parametrize("name", BY_NAME)
def test_engine_is_found(name: str) -> None:
    """Not finding one is no fault; it is to be seen."""
    found = presence(name)
    if found.version is None:
        pytest.skip(f"{name}: {found.reason}")


@pytest.mark.parametrize("part", range(PARTS))
def test_patterns_of_the_suite(part: int) -> None:
    patterns = sources.suite_patterns()[part::PARTS]
    found = compare(patterns, 300, thorough=True)
    assert not found.disagreements, listed(found.disagreements)
    assert found.comparisons > 250 * len(patterns)


@pytest.mark.parametrize("source", [sources.trl_patterns, sources.transformers_patterns, sources.trap_patterns])
def test_published_patterns_and_traps(source: Callable[[], Sequence[str]]) -> None:
    try:
        patterns = source()
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))
    total = Tally()
    for name in BY_NAME:
        if is_here(name):
            total += campaign.run_batch(name, Patterns("", patterns, 500, thorough=True), FORMS)
    assert not total.disagreements, listed(total.disagreements)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_core_patterns(part: int) -> None:
    patterns = list(sources.random_patterns(f"core {part}", examples(CORE // PARTS)))
    assert len(patterns) == examples(CORE // PARTS)
    found = compare(patterns, 40)
    assert not found.disagreements, listed(found.disagreements)


@pytest.mark.parametrize("part", range(2))
def test_random_extended_patterns(part: int) -> None:
    patterns = [
        *sources.random_families(f"extended {part}", examples(12)),
        *sources.random_directed(f"directed {part}", examples(40)),
        *sources.random_unicode(f"{part}", examples(60)),
    ]
    found = compare(patterns, 40, campaign.FORMS)
    assert not found.disagreements, listed(found.disagreements)


def test_a_match_begins_with_a_reference() -> None:
    """ICU looks for a match only at characters that may begin one: those that references take are easily missed."""
    patterns = Patterns("", REFERENCES_FIRST, 300, thorough=True)
    total = Tally()
    for name in filter(is_here, BY_NAME):
        total += campaign.run_batch(name, patterns, campaign.FORMS)
    assert not total.disagreements, listed(total.disagreements)


@settings(max_examples=examples(60), deadline=None, derandomize=True)
@given(st.data())
def test_any_pattern_on_any_text(data: st.DataObject) -> None:
    """What the makers of patterns and texts above don't think of."""
    grammar = data.draw(st.sampled_from([*GRAMMARS.values()]))
    source = grammar.pattern(data.draw(st.randoms(use_true_random=False)))
    assume(sources.is_usable(source))
    text = st.text(st.characters(codec="utf-8"), max_size=8) | st.text("ab\n", max_size=8)
    texts = data.draw(st.lists(text, min_size=1, max_size=8))
    truth = Truth(source)
    for name in filter(is_here, CI):
        found = Trial(BY_NAME[name], campaign.session(name)).run(truth, texts, FORMS)
        assert not found.disagreements, listed(found.disagreements)


def test_the_matrix_is_what_a_run_gives() -> None:
    columns = matrix.columns(CI)
    told = matrix.written()
    assert {target: told.get(target) for target in columns} == columns


def test_the_matrix_is_made_by_engines_without_known_faults() -> None:
    assert "perl" not in [engine.name for engine in matrix.confirming(BY_NAME)]


def test_a_matrix_with_a_refuted_translation_is_not_written() -> None:
    before = matrix.README.read_text("utf-8")
    made = {"re": {row: "✓ ✗" if row == "sets" else "✓" for row in FEATURES}}
    with pytest.raises(ValueError, match="✗ at re: sets"):
        matrix.write(made)
    assert matrix.README.read_text("utf-8") == before


def test_the_matrix_has_all_extended_constructs() -> None:
    spec = (sources.ROOT / "reference" / "SPEC.md").read_text("utf-8")
    table = spec.partition("| slug | construct |")[2].partition("\n\n")[0]
    slugs = {slug for row in table.splitlines()[2:] for slug in row.split("|")[1].strip().split(", ")}
    assert len(slugs) >= 20
    assert slugs <= set(FEATURES)


def trial_of(source: str, translator: Translate, form: Form = "plain", name: str = "re") -> Tally:
    truth = Truth(source)
    trial = Trial(BY_NAME[name], campaign.session(name), translator)
    return trial.compare(truth, name, form, texts_for(truth.pattern, 200, thorough=True))


def instead(other: str, **changes: object) -> Translate:
    """A translator that translates another pattern, and then changes the translation."""
    return lambda source, target, form: replace(translate(other, target, form), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "other"),
    [
        ("a$", r"a\Z"),
        ("a+b?", "a+?b?"),
        ("a|ab", "ab|a"),
        (r"\w", "[a-z]"),
        ("(?P<x>a)?b", "(?P<x>a?)b"),
        (".", r"[^\n]"),
        (r"\s", r"[\s\ufeff]"),
        ("(?i)k", "[kK]"),
        ("(?<!a)b", "b"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_a_wrong_translation_is_found(source: str, other: str, form: Form) -> None:
    assert trial_of(source, instead(source), form).disagreements == []
    (found,) = trial_of(source, instead(other), form).disagreements
    assert found.text is not None
    assert len(found.text) <= 2
    assert found.expected != found.got


def test_a_wrong_start_is_found() -> None:
    (found,) = trial_of("ab", instead("b"), "must").disagreements
    assert (found.text, found.expected) == ("b", None)


def test_what_is_held_too_long_is_found_unless_it_is_told() -> None:
    (found,) = trial_of("a", instead("a+"), "hit-end").disagreements
    assert found.got == Undecided(0)
    note = Note("condition", "hit-end", "may hold longer")
    told = trial_of("a", instead("a+", verdict="exact under conditions", notes=(note,)), "hit-end")
    assert told.announced
    assert [each.text for each in told.disagreements] != []  # and "aab" is another match, which nothing excuses
    held = trial_of("ab", instead("ab(?=.|$)", verdict="exact under conditions", notes=(note,)), "hit-end")
    assert held.announced
    assert held.disagreements == []


def test_what_is_decided_earlier_must_be_right() -> None:
    earlier = trial_of("(?>ab|a)", instead("ab|a"), "hit-end")
    assert earlier.disagreements == []
    (wrong,) = trial_of("a+", instead("a"), "hit-end").disagreements
    assert wrong.expected == Undecided(0)


def test_a_refused_translation_is_found() -> None:
    (found,) = trial_of("a", instead("a", pattern="(")).disagreements
    assert found.text is None
    assert "missing )" in str(found)


def test_a_group_that_is_not_there_is_found() -> None:
    (found,) = trial_of("(?P<x>a)", instead("(?P<x>a)", groups={"x": 7})).disagreements[:1]
    assert "groups that aren't there: [7]" in str(found)


def test_an_approximate_translation_must_differ() -> None:
    """A difference is counted apart if it was announced; what is announced must make one."""
    note = Note("difference", "class", "knows ASCII only", examples=("é", "x"))
    honest = trial_of(r"\w", instead("[0-9A-Z_a-z]", verdict="approximate", notes=(note,)))
    assert honest.announced
    assert honest.disagreements == []
    (wolf,) = trial_of(r"\w", instead(r"\w", verdict="approximate", notes=(note,))).disagreements
    assert "no difference, though announced" in str(wolf)


class GivesUp(Session):
    """An engine that gives every search up."""

    def ask(self, request: Request) -> list[Result]:
        return [Failed("too many steps") for _ in request.texts]


def test_a_search_that_the_engine_gives_up_is_counted_if_the_translation_is_exact() -> None:
    truth = Truth("a+")
    with GivesUp([], JsonLines()) as session:
        tally = Trial(BY_NAME["re"], session).compare(truth, "re", "plain", ["a", "b"])
        conditions = Trial(BY_NAME["re"], session, instead("a+", verdict="exact under conditions"))
        excused = conditions.compare(truth, "re", "plain", ["a", "b"])
    assert tally.given_up == {"re, plain: 'a+'": 2}
    assert (tally.unanswered, tally.comparisons, tally.disagreements) == (2, 0, [])
    assert (excused.unanswered, excused.given_up.total()) == (2, 0)


def test_what_is_unsupported_is_not_run() -> None:
    tally = trial_of("a", instead("a", pattern=None, verdict="unsupported"))
    assert (tally.unsupported, tally.comparisons) == (1, 0)
