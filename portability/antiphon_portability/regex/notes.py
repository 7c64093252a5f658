"""What there is to say of a translation: the table of notes, and the table of what engines can't express."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

NoteKind: TypeAlias = Literal["rewritten", "condition", "difference", "later", "unsupported", "native"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to know about a translation.

    `kind`: "rewritten" (written otherwise, same meaning), "condition" (same meaning only if what `text` says holds),
    "difference" (other results on texts such as `examples`), "later" (in a stream, some text is held for longer than it
    need be; nothing is committed too early), "unsupported" (`remedy` says what to write instead),
    "native" (how the engine itself can tell that a match depends on what follows). `construct` is the slug of SPEC.md,
    DIALECT-3, or of `analysis.features`.
    """

    kind: NoteKind
    construct: str
    text: str
    examples: tuple[str, ...] = ()
    remedy: str | None = None


NOTES: Final = {
    "classes": Note("rewritten", "class", r"classes and properties are written as code points: \w, \d, \s, \p{…}"),
    "case": Note("rewritten", "ignore-case", "each character is written with the others that it matches"),
    "dot": Note("rewritten", "dot", "a dot is written as any code point, line ends and astral characters included"),
    "anchor": Note("rewritten", "end-anchor", "$ is written as the place that it means"),
    "lines": Note("rewritten", "multiline", "the ends of lines are written as the places that they mean"),
    "words": Note("rewritten", "word-boundary", r"a boundary is written as looks at the characters beside it"),
    "astral": Note("rewritten", "class", "code points beyond U+FFFF are written as surrogate pairs"),
    "start": Note("rewritten", "class", "the search is kept from starting within a surrogate pair"),
    "pairs": Note("rewritten", "class", "a character beyond U+FFFF is added: so it looks at pairs as characters"),
    "lazy": Note("rewritten", "lazy", "an empty group is added: so the start of a match isn't searched from its end"),
    "any-start": Note(
        *("rewritten", "backreference"), "an option that fails is added: so a match is tried from every character"
    ),
    "possessive": Note("rewritten", "possessive", "a possessive quantifier is written as an atomic group"),
    "atomic": Note("rewritten", "atomic", "an atomic group is written as a lookahead and a reference to what it took"),
    "plain-atomic": Note("rewritten", "atomic", "what follows never needs what an atomic group took: it is left out"),
    "renamed": Note("rewritten", "named-group", "the engine doesn't take a group's name: see `groups`"),
    "same-name": Note("rewritten", "duplicate-names", "groups of one name have names of their own: see `groups`"),
    "lookbehind": Note("rewritten", "lookbehind", "a lookbehind is split into options of fixed width"),
    "tail": Note(
        "rewritten", "lookahead", "what is looked at is taken by a group that is not of the match: see `tails`"
    ),
    "empty-loop": Note("rewritten", "greedy", "a loop over what may be empty is written as one over what is not"),
    "conditional": Note("rewritten", "conditional", "a conditional is written as options that test an empty group"),
    "decided": Note("rewritten", "conditional", "whether the group takes part is known beforehand"),
    "words-unicode": Note(
        *("condition", "word-boundary"), r"no character is newer than the engine's Unicode: \b goes by its own tables"
    ),
    "words-ascii": Note(
        *("difference", "word-boundary"), r"\b knows ASCII only: a letter or digit beyond it is no word character there"
    ),
    "grapheme": Note(
        *("condition", "grapheme"),
        r"the engine's \X follows Unicode 17 (PCRE2 10.42 joins emoji)",
    ),
    "holds-longer": Note(
        *("later", "hit-end"), "some text may be held for longer than it need be; nothing is committed too early"
    ),
}

# What an engine can't say: key -> (slug, what it is, what to write instead).
REFUSALS: Final = {
    "lookahead": (
        "lookahead",
        "a lookahead that isn't at the very end",
        "match what is looked at, or use another field",
    ),
    "negative-lookahead": (
        *("negative-lookahead", "a negative lookahead, but for single characters at the very end"),
        "say what may follow instead: (?=[^x]|$)",
    ),
    "lookbehind": ("lookbehind", "a lookbehind", "match what comes before as part of the delimiter"),
    "variable-lookbehind": (
        *("lookbehind", "a lookbehind of variable width"),
        "give each of its options a fixed width",
    ),
    "look-in-lookbehind": (
        *("lookbehind", "a lookaround, anchor, boundary or reference in a lookbehind"),
        "say with characters what stands before",
    ),
    "unbounded-lookbehind": ("lookbehind", "a lookbehind without bound", "bound its loops: {0,9} for *"),
    "group-lookbehind": (
        *("lookbehind", "a named group in a lookbehind of several widths"),
        "capture outside of the lookbehind",
    ),
    "final-end": ("end-anchor", "a $ that isn't at the very end", r"write \Z for the end, \n\Z for a final line end"),
    "word-boundary": (
        *("word-boundary", "a word boundary of this kind"),
        "match the character beside it, or a set that excludes it",
    ),
    "word-edge": ("word-edge", "a word's start or end", "match the character beside it, or a set that excludes it"),
    "atomic": (
        *("atomic", "an atomic group or possessive quantifier that matters"),
        "write plain quantifiers over sets that exclude what follows",
    ),
    "backreference": ("backreference", "a backreference", "write the options out"),
    "backreference-case": (
        *("backreference", "a backreference that ignores case"),
        "turn flag i off for it: (?-i:…)",
    ),
    "forward-reference": ("backreference", "a reference to a later group", "refer to a group after its end"),
    "several-places": ("backreference", "a reference to a group that stands in several places", "use one group"),
    "unset-group": (
        *("backreference", "a reference to a group that may have taken no part"),
        "refer to a group that every match passes",
    ),
    "conditional": ("conditional", "a conditional", "write the two cases as options"),
    "grapheme": ("grapheme", r"a grapheme cluster (\X)", "match single characters instead"),
    "property": (
        "unicode-property",
        "this Unicode property",
        "list the characters, or use one of the common properties",
    ),
    "loop-group": (
        *("group-kept-in-loop", "a named group that some iterations of a loop pass by"),
        "put the loop into the group, or repeat the group in every option",
    ),
    "leaky-group": (
        *(
            "named-group",
            "a named group that an attempt leaves set when given up: in loops of loops, counted ones, atomic groups",
        ),
        "capture outside of it, or move it to the very end",
    ),
    "same-name-loop": (
        *("duplicate-names", "groups of one name in one loop or lookbehind"),
        "use one group around the options: (?P<n>a|b)",
    ),
    "empty-loop": ("greedy", "a loop over what may be empty", "write a body that takes text: (?:a|b)* for (?:a*|b)*"),
    "count": ("bounded", "a count as high as this, loops in loops multiplied", "count less far, or use * or +"),
    "size": (
        "size",
        "a pattern as large as this, classes and loops written out",
        r"use fewer \w and \b, or flag a: (?a:\w)",
    ),
    "loop-marker": (
        *("hit-end", "the hit-end form of a lookaround or anchor in a loop"),
        "move it behind the loop, or search the complete text with the plain form",
    ),
    "decision": ("hit-end", "a decision that is made later", "use a simpler lookaround or loop"),
}
