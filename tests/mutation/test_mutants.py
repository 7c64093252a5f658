"""Mutants of small modules: which there are, what is left out, and that their names last."""

from __future__ import annotations

from mutation.mutants import Mutant, mutants

MODULE = '''
"""Documentation isn't mutated."""

from somewhere import Malformed

LIMIT: int = 3


def read(text: str, strict: bool = False) -> str:
    """Nor is this."""
    if strict and len(text) > LIMIT:
        raise Malformed("too-long", f"{text[:9]} is too long")
    report(text)
    return text.lower()
'''


def changes(source: str) -> set[tuple[str, str]]:
    return {(mutant.operator, mutant.after) for mutant in mutants("small", source)}


def test_each_operator_changes_what_it_can() -> None:
    assert changes(MODULE) == {
        ("number", "LIMIT: int = 4"),
        ("assignment", "LIMIT: int = None"),
        ("name", "def read(text: str, strict: bool = True) -> str:"),
        ("force_condition", "if (strict and len(text) > LIMIT) and False:"),
        ("force_condition", "if (strict and len(text) > LIMIT) or True:"),
        ("swap_op", "if strict or len(text) > LIMIT:"),
        ("keep_one_operand", "if strict:"),
        ("keep_one_operand", "if len(text) > LIMIT:"),
        ("swap_op", "if strict and len(text) >= LIMIT:"),
        ("leave_out_raise", "pass"),
        ("arg_removal", 'raise Malformed(None, f"{text[:9]} is too long")'),
        ("arg_removal", 'raise Malformed(f"{text[:9]} is too long")'),
        ("string", 'raise Malformed("XXtoo-longXX", f"{text[:9]} is too long")'),
        ("string", 'raise Malformed("TOO-LONG", f"{text[:9]} is too long")'),
        ("leave_out_call", "pass"),
        ("arg_removal", "report(None)"),
        ("symmetric_string_methods_swap", "return text.upper()"),
    }


def test_texts_of_messages_are_left_out() -> None:
    lines = (
        "def f(text):",
        'reason = "it is " + text',
        'message = f"{text + text}"',
        'raise ParseError("kind", "why")',
    )
    found = changes("\n    ".join(lines))
    assert not any("why" not in after and "ParseError" in after for _, after in found)
    assert not any(after.startswith("message") for _, after in found)
    assert ("assignment", "reason = None") in found, "it isn't known to be a text"


def named(source: str) -> dict[str, Mutant]:
    return {mutant.id: mutant for mutant in mutants("small", source)}


def test_ids_outlive_edits_elsewhere() -> None:
    edited = MODULE.replace("LIMIT: int = 3", "LIMIT: int = 3  # characters\n\n\ndef other():\n    return 1")
    assert named(MODULE).keys() <= named(edited).keys()


def test_ids_tell_equal_changes_apart() -> None:
    found = named("def twice(a):\n    go(a)\n    stop()\n    go(a)\n")
    assert {"small.twice: go(a) → pass", "small.twice: go(a) → pass #2"} <= found.keys()
    assert found["small.twice: go(a) → pass"].source == "def twice(a):\n    pass\n    stop()\n    go(a)\n"
    assert found["small.twice: go(a) → pass #2"].source == "def twice(a):\n    go(a)\n    stop()\n    pass\n"


def test_every_mutant_differs_and_compiles() -> None:
    found = mutants("small", MODULE)
    assert len({mutant.source for mutant in found} | {MODULE}) == len(found) + 1
    for mutant in found:
        compile(mutant.source, "small", "exec")


def test_what_stands_outside_of_functions_is_marked() -> None:
    assert {mutant.function: mutant.in_function for mutant in mutants("small", MODULE)} == {
        "(module)": False,
        "read": True,
    }
