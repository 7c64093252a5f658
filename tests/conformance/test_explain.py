"""`conformance explain`: what is wrong, by which clauses, what it means, and both sides of the events."""

from __future__ import annotations

import io
import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from antiphon_conformance.cases.notes import load_notes
from antiphon_conformance.cases.specification import clauses, clauses_of, concerned, proposal_pages
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import explaining
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.reports.explaining import Wish
from antiphon_conformance.resources import find_specification
from antiphon_conformance.runs.runner import run_adapter
from made_up import BAD, case_source, fake, fake_command, write_suite
from rich.console import Console

BAD_CASE, GOOD, LACKS = "topic/file/bad", "topic/file/good", "topic/file/lacks"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    bad = case_source(id="bad", text="bad", expect=BAD, notes=["too-late"], clauses=["DUE-1"], source="a field report")
    return write_suite(tmp_path, bad, case_source(id="good"), case_source(id="lacks", requires=["lookbehind"]))


def explained(wish: Wish, *modes: str, width: int = 100) -> str:
    stream = io.StringIO()
    explaining.explain(wish, [fake_command(mode) for mode in modes], Console(file=stream, width=width))
    return stream.getvalue()


def test_it_tells_what_is_wrong_by_what_and_what_for(suite: Path) -> None:
    text = explained(Wish(BAD_CASE, suite=suite), "late")
    assert text.startswith("topic/file/bad\ntries      d\na failure  Something is held longer than needed. ")
    assert "source     a field report\n" in text
    assert '\nfake 1\nwrong  late: region_open of "content" came at end, is due at 1\n' in text
    assert re.search(r"^ +in \d+ of \d+ runs, the first of which is whole$", text, re.MULTILINE)
    assert "DUE-1  The events *determined* by a stream" in text
    assert "DUE-3  An implementation of level `prompt` MUST emit" in text
    assert '\nprefix  ""\ntext  "bad"  (whole)\n' in text


def test_it_shows_both_sides_with_the_first_difference_marked(suite: Path) -> None:
    text = explained(Wish(BAD_CASE, "cut at 1", suite), "late", width=90)
    timeline = text[text.index("  due expected") :]
    assert [re.sub(r" +", " ", line).strip() for line in timeline.splitlines()] == [
        "due expected │ fake 1",
        'feed 1 → 1 "b"',
        "✗ 1 region_open content │ ·",
        '≠ 1 region_chunk content "b" │ ·',
        'feed 2 → 3 "ad"',
        '≠ 2..3 region_chunk content "ad" │ ·',
        "end",
        "≠ · │ region_open content",
        '≠ · │ region_chunk content "bad"',
        'end region_close content "bad" │ region_close content "bad"',
        'end message {"content": "bad"} │ message {"content": "bad"}',
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_the_sides_fit_the_terminal(suite: Path, width: int) -> None:
    text = explained(Wish(BAD_CASE, suite=suite), "late", width=width)
    lines = text.splitlines()
    timeline = lines[next(number for number, line in enumerate(lines) if line.strip().startswith("due expected")) :]
    assert max(map(len, timeline)) <= width
    assert len({line.index("│") for line in timeline if "│" in line}) == 1


def test_the_chunks_can_be_the_fault(tmp_path: Path) -> None:
    """Right in one piece: the clause about chunks is named, too."""
    suite = write_suite(tmp_path, case_source(id="bad", text="bad", expect={"message": {"content": "bad"}}))
    text = explained(Wish(BAD_CASE, suite=suite), "crash_when_cut")
    assert "wrong     crashed (exit status 3)" in text
    assert "in one piece it is right: the result depends on the chunks" in text
    assert "EVENT-4   How a region's text is divided" in text
    assert "stderr: can't bear ['b', 'a', 'd']" in text


def test_a_text_in_single_code_points_stays_readable(suite: Path) -> None:
    assert '\ntext  "bad"  (each code point by itself)\n' in explained(Wish(BAD_CASE, "each", suite), "good")


def test_what_is_right_is_shown_as_well(suite: Path) -> None:
    text = explained(Wish(GOOD, suite=suite), "good")
    assert re.search(r"^right  in all \d+ runs$", text, re.MULTILINE)
    assert "✗" not in text


def test_a_chunking_that_is_right_while_others_are_not(suite: Path) -> None:
    text = explained(Wish(BAD_CASE, "whole", suite), "crash_when_cut")
    assert "nothing is wrong in the chunking whole; there is in others" in text
    assert "the first of which is each" in text


def test_what_it_lacks(suite: Path) -> None:
    assert "unjudged  lacks lookbehind" in explained(Wish(LACKS, suite=suite), "good")


def test_several_implementations_one_after_the_other(suite: Path) -> None:
    text = explained(Wish(BAD_CASE, suite=suite), "good", "late")
    assert text.index("right  in all") < text.index("wrong  late")


def test_lag_that_is_allowed_is_told() -> None:
    """The reference holds longer than needed where DUE-4 lets it."""
    stream = io.StringIO()
    wish = Wish("delimiters/pattern-possessive/white-space")
    explaining.explain(wish, ["reference"], Console(file=stream, width=100))
    assert "up to 4 code points late, which is allowed here (DUE-4)" in " ".join(stream.getvalue().split())


@pytest.mark.parametrize(
    ("wish", "mode", "problem"),
    [
        (("topic/file/bed", None), "good", "there is no case topic/file/bed; try topic/file/bad"),
        ((BAD_CASE, "cut at 9"), "good", "doesn't cut this text"),
        ((BAD_CASE, None), "exits_at_once", "it said: no such model"),
    ],
)
def test_bad_input(suite: Path, wish: tuple[str, str | None], mode: str, problem: str) -> None:
    with pytest.raises(BadInput, match=re.escape(problem)):
        explained(Wish(*wish, suite), mode)


@pytest.mark.skipif(find_spec("transformers") is None, reason="transformers isn't installed")
def test_the_example_of_the_documentation_is_true() -> None:
    readme = (Path(__file__).parents[2] / "conformance" / "README.md").read_text("utf-8")
    command, block = re.search(r"antiphon (conformance explain .+?)\n.+?```\n(.+?)```", readme, re.DOTALL).groups()  # type: ignore[union-attr]
    case, name = re.fullmatch(r"conformance explain (\S+) --adapter (\S+)", command).groups()  # type: ignore[union-attr]
    stream = io.StringIO()
    explaining.explain(Wish(case), [name], Console(file=stream, width=90))
    assert block in "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


# From a report


@pytest.fixture
def held(suite: Path, tmp_path: Path) -> Path:
    cases = load_suite(suite)
    results = [run_adapter(fake(mode), cases) for mode in ("good", "late", "crash")]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report.document(cases, results, Settings(Level.PROMPT))), "utf-8")
    return path


def from_report(wish: Wish, path: Path) -> str:
    stream = io.StringIO()
    explaining.explain_report(wish, path, Console(file=stream, width=100))
    return stream.getvalue()


def test_a_report_holds_enough(suite: Path, held: Path) -> None:
    """What it tells of an implementation is what running it tells."""
    text = from_report(Wish(BAD_CASE, suite=suite), held)
    live = explained(Wish(BAD_CASE, suite=suite), "late").replace("fake 1\n", "fake 1 (late)\n")
    live_timeline, held_timeline = (one[one.index("feed 1") :].partition("\n\n")[0].strip() for one in (live, text))
    assert held_timeline == live_timeline
    assert "fake 1 (crash)\nwrong  crashed (exit status 7)" in text
    assert text.endswith("stderr: last words\n")


def test_a_report_holds_its_chunkings_only(suite: Path, held: Path) -> None:
    with pytest.raises(BadInput, match="the report has other chunkings of this case"):
        from_report(Wish(BAD_CASE, "cut at 1", suite), held)


# What it draws on


def test_every_clause_has_a_text() -> None:
    known = clauses()
    assert list(known) == clauses_of(find_specification().read_text("utf-8") + proposal_pages())
    assert known["DELIM-1"].endswith("then 4. whose field's name comes first in code point order.")
    assert all(len(text) > 20 and "\n" not in text and "**" not in text for text in known.values())


def test_clauses_of_the_way_in_which_a_case_fails() -> None:
    assert concerned(["DUE-1"], "late: x", "each") == ["DUE-1", "DUE-3"]
    assert concerned(["DUE-1"], "early: x", "each") == ["DUE-1", "DUE-2"]
    assert concerned(["DUE-1"], "message: x", "each") == ["DUE-1", "EVENT-4"]
    assert concerned(["DUE-1", "EVENT-4"], "message: x", "cut at 1") == ["DUE-1", "EVENT-4"]
    assert concerned(["DUE-1"], "message: x", "whole") == ["DUE-1"]


def test_notes_of_another_suite_are_added(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text(json.dumps({"mine": {"title": "t", "effect": "e"}}), "utf-8")
    notes = load_notes(tmp_path)
    assert (notes["mine"].title, notes["mine"].effect) == ("t", "e")
    assert notes.keys() > load_notes().keys()


def test_the_name_of_an_implementation_cannot_reach_the_terminal(suite: Path) -> None:
    assert "\x1b" not in explained(Wish(GOOD, suite=suite), "colourful_name")
