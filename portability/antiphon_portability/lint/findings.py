"""What a lint has to say: a finding, the text that shows it, and what is known of each kind of finding.

`RULES` is the one table: severities, titles and remedies are nowhere else, and README.md's table is held against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias

from antiphon_portability.lint.show import show

Severity: TypeAlias = Literal["error", "warning", "note"]
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding. `id` is stable: a rule may go, but its number is never used for another."""

    id: str
    severity: Severity
    name: str
    title: str
    meaning: str
    remedy: str
    example: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A text that shows a finding.

    `text` is a generation; with `unit` it is a generation of which that part may be repeated at will, `count` times
    here. `chunks` is how it is cut, where that matters. `prefix` is the prompt before it. `shows` says what comes of
    it, in pairs of who or how and what.
    """

    text: str
    shows: tuple[tuple[str, str], ...] = ()
    chunks: str = ""
    prefix: str = ""
    unit: str = ""
    count: int = 0

    SHOWN: ClassVar[int] = 300  # code points of a text that are written down

    def written(self) -> str:
        """The text as one writes it down: in quotes, what is repeated only once."""
        lead, found, rest = self.text.partition(self.unit * self.count) if self.unit else (self.text, "", "")
        parts = [show(lead, self.SHOWN)] if lead or not found else []
        parts += [f"{show(self.unit)} × {self.count}"] if found else []
        return " + ".join([*parts, *([show(rest, self.SHOWN)] if rest else [])])

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"text": self.text, "shows": [{"how": how, "what": what} for how, what in self.shows]}
        optional = {"chunks": self.chunks, "prefix": self.prefix, "unit": self.unit, "count": self.count}
        return shown | {name: value for name, value in optional.items() if value}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a template: of which kind, where (JSON Pointer), why, and what to do."""

    rule: Rule
    pointer: str
    reason: str
    remedy: str = ""
    witness: Witness | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.rule.id,
            "severity": self.rule.severity,
            "name": self.rule.name,
            "pointer": self.pointer,
            "reason": self.reason,
            "remedy": self.remedy or self.rule.remedy,
            **({"witness": self.witness.as_json()} if self.witness else {}),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The findings, worst first, and what was not looked at to the end."""

    findings: tuple[Finding, ...]
    unfinished: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether there is nothing worse than a note."""
        return all(finding.rule.severity == "note" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        return {"findings": [finding.as_json() for finding in self.findings], "unfinished": list(self.unfinished)}


def _rules(*rows: tuple[str, Severity, str, str, str, str, str]) -> dict[str, Rule]:
    return {row[0]: Rule(*row) for row in rows}


_STRAIGHT = "write a delimiter that ends in a literal character, with no optional part behind it"

RULES: Final = _rules(
    # Loading
    (
        "AP001", "error", "does-not-load", "the template can't be loaded",
        "SPEC.md, section 1, refuses it. The reason begins with the kind of the fault.",
        "correct what the reason names",
        '"opne": "<think>"',
    ),
    (
        "AP002", "warning", "key-twice", "a key stands twice in one object",
        "JSON readers keep the last one and say nothing, so the first has no effect.",
        "take one of the two out",
        '{"close": "a", "close": "b"}',
    ),
    # Portability
    (
        "AP010", "warning", "not-portable", "engines that can't run a pattern",
        "Ports on these engines refuse the template.",
        "write it as the reason says, or with the core constructs of DIALECT-2 only",
        r'(?<=\n)<end> for re2',
    ),
    (
        "AP011", "warning", "approximate", "engines on which a pattern finds something else",
        "The translation is close, and differs on some texts.",
        "write it as the reason says, or with the core constructs of DIALECT-2 only",
        r'\bEND for re2',
    ),
    (
        "AP012", "note", "exact-if", "engines on which a pattern is exact under a condition",
        "The translation means the same as long as the condition holds.",
        "see to the condition, or write the construct out",
        r'\bEND for rust',
    ),
    (
        "AP013", "note", "not-streamable", "engines that can run a pattern, but not streamed",
        "The hit-end rewrite, by which a port knows what it may emit, has no form for them.",
        "write it without the construct that the reason names",
        "(?=(?:a|b)*+c)d for ecmascript",
    ),
    # Today's implementations
    (
        "AP020", "warning", "depends-on-chunks", "transformers and vLLM make of it what the chunks make of it",
        "They prefer any complete match to one that starts earlier or would become longer, so the message depends on "
        "how the text was cut. Told by simulating the search of transformers 5.24; the reference gives the same "
        "message for every cut.",
        _STRAIGHT,
        '"close_pattern": "<end>|$"',
    ),
    (
        "AP021", "error", "hangs", "transformers loops for ever",
        "An open and a close of zero width fire at one place in turn.",
        "let the open or the close take at least one character",
        r'"open_pattern": "(?:^|<t>\\s*)", "close_pattern": "(?:</t>|$)"',
    ),
    (
        "AP022", "warning", "differs-in-one-piece", "transformers gives another message, also in one piece",
        "Zero-width matches: it drops text that follows one in the implicit field, and takes none at the very end.",
        "let every option of the delimiter take at least one character",
        r'implicit "close_pattern": "(?=\\n)"',
    ),
    # Holding
    (
        "AP030", "warning", "holds-everything", "nothing streams",
        "Any text may still become this delimiter, so all of it is held until the delimiter, or the end, comes.",
        "begin the delimiter with what the model really writes there",
        r'"open_pattern": "(?=[\\s\\S]*?</think>)"',
    ),
    (
        "AP031", "note", "holds-without-limit", "once begun, the delimiter holds any amount of text",
        "After its beginning it waits for its end, however far away that is. A model that never writes the end stops "
        "the stream there.",
        "bound the loop, or exclude what can't stand there, such as [^\\n<]",
        r'"open_pattern": "<t \"[^\"]+\">"',
    ),
    (
        "AP032", "note", "waits-behind-white-space", "the close waits for the first character that isn't white space",
        "The reference closes the region at once; transformers and vLLM give its region_close, and so the tool call, "
        "only with what follows or at the end.",
        "nothing, if late tool calls don't matter; else close with the literal and let the next open take the space",
        r'"close_pattern": "</call>\\s*"',
    ),
    (
        "AP033", "note", "holds-much", "the delimiter may hold a long text",
        "A counted loop holds up to its bound.",
        "lower the bound",
        '"open_pattern": "<t [^>]{1,500}>"',
    ),
    (
        "AP034", "warning", "decided-at-the-end", "the delimiter isn't decided before the end of the text",
        "A greedy loop takes the last place where the rest matches, and only the end tells which is the last.",
        "make the loop lazy (.*?), or let it exclude what ends it",
        '"open_pattern": "<t>.*<m>"',
    ),
    # Regions that collide
    (
        "AP040", "warning", "same-open", "two fields open alike",
        "Both match the same text with the same length. The field's name decides (DELIM-1).",
        "open them by different texts",
        'a: "<t>", b: "<(?:t|u)>"',
    ),
    (
        "AP041", "note", "open-begins-another", "one field's open begins another's",
        "Where the shorter stands, its region opens only when the longer has become impossible.",
        "nothing, if a late region_open doesn't matter",
        'a: "<t>", b: "<t>b"',
    ),
    (
        "AP042", "warning", "never-opens", "a field that never opens",
        "Wherever its open stands, another field's open fires.",
        "take it out, or open the other field by a text that isn't a part of it",
        'a: "<t>", b: "t>"',
    ),
    (
        "AP043", "note", "swallows", "a region without a close takes all that follows",
        "Opens of other fields inside it are text (REGION-7).",
        "give it a close, if other fields can follow",
        '{"open": "<think>"}, and tool calls',
    ),
    (
        "AP044", "warning", "matches-nothing-anywhere", "a delimiter that stands everywhere",
        "It matches the empty text in the middle of ordinary text, so it cuts it up.",
        "let it take at least one character, or add a lookahead that names what follows",
        '"open_pattern": "x*"',
    ),
    (
        "AP050", "warning", "blank-overwrites", "white space replaces the answer",
        "White space behind a delimiter is a region of the implicit field (REGION-9), and its empty value replaces the "
        "one before (MESSAGE-3).",
        "swallow the white space in the delimiter: \\s* at its end",
        '"close": "</call>", and a newline behind it',
    ),
    (
        "AP051", "warning", "last-call-only", "only the last tool call is kept",
        "The field holds one value, not a list, so each call replaces the one before (MESSAGE-3).",
        'add "repeats": true',
        'tool_calls with a transform, without repeats',
    ),
    (
        "AP052", "note", "blank-after-the-end", "white space behind the end of the message replaces the answer",
        "As AP050, but behind a close that ends the message: a model stops there, yet a text that was rendered for "
        "training goes on with a newline.",
        "swallow the white space in the close: \\s* at its end",
        '"close": "<|im_end|>", and a newline behind it',
    ),
    # Speed
    (
        "AP060", "error", "exponential", "exponential search",
        "Two loops, one in the other, can take the same text in many ways, and all are tried. Steps of a plain "
        "backtracking search, counted; engines with memory or without backtracking are spared.",
        "let the inner and the outer loop begin with different characters, or write one loop",
        '"<t(?:a|aa)+>"',
    ),
    (
        "AP061", "warning", "polynomial", "cubic search, or worse",
        "Loops that follow each other can take the same text. Counted as for AP060.",
        "let neighbouring loops take different characters, or drop one: strip is the default of text",
        r'"<t>\\s*(?P<value>.*?)\\s*</t>"',
    ),
    (
        "AP062", "note", "quadratic", "quadratic search",
        "Each place of a long run is tried, and each try goes to the run's end. Harmless unless a model writes many "
        "thousands of these. Counted as for AP060.",
        "bound the loop if such runs are likely",
        r'"\\s*<call>"',
    ),
    # The chat template
    (
        "AP070", "warning", "not-rendered", "the chat template can't be rendered",
        "So nothing can be said of the prompt. A small conversation is rendered as Hugging Face does.",
        "correct the chat template, or check the prompt by `antiphon stream --prefix-file`",
        '{{ raise_exception("no") }}',
    ),
    (
        "AP071", "error", "anchor-not-found", "the start anchor isn't in the prompt",
        "The whole prompt is parsed, and becomes a part of the message (ANCHOR-2).",
        "write as anchor what the generation prompt ends with",
        r'"<bot>\n", where the prompt ends in "<bot>"',
    ),
    (
        "AP072", "warning", "prompt-in-message", "a part of the prompt becomes part of the message",
        "What stands behind the anchor's last match goes through the parser (ANCHOR-4).",
        "let the anchor match up to the end of the generation prompt",
        '"<bot>", where the prompt ends in "<bot>Sure: "',
    ),
    (
        "AP073", "error", "anchor-elsewhere", "the start anchor matches an earlier turn only",
        "The turns after it are parsed as if the model had just written them.",
        "write as anchor what the generation prompt ends with",
        '"<assistant>", which only past turns have',
    ),
    # Captures
    (
        "AP080", "warning", "capture-missing", "a capture that the transform needs may be missing",
        "The delimiter can match without the group, and the message then fails (placeholder-unresolved).",
        "let the group take part in every match, or leave its placeholder out",
        r'"</c(?P<end>\\d)>|</c>", and {end}',
    ),
    (
        "AP081", "note", "capture-unused", "a named group that the transform doesn't use",
        "Its text is in no message.",
        "use it in the transform, or write (?:…)",
        r'"<call (?P<id>\\d)>", without {id}',
    ),
    # Names
    (
        "AP090", "note", "unusual-name", "a field name that most chat templates don't read",
        "A message is appended to the conversation; what the chat template doesn't read there is lost.",
        "check the name with --chat-template, or write the usual one",
        'thinking, without --chat-template',
    ),
    (
        "AP091", "warning", "name-not-read", "the chat template doesn't read this field",
        "It reads another name for the same thing, so the next turn's prompt lacks it.",
        "name the field as the chat template does",
        'thinking, where it reads reasoning_content',
    ),
    (
        "AP092", "note", "no-role", "the message has no role",
        "Chat templates choose by it how a message is written.",
        'add "defaults": {"role": "assistant"}',
        'no "defaults"',
    ),
    # Required fields
    (
        "AP100", "note", "required-by-default", "a required field that has a default is never missing",
        '"optional": false asks whether the key is in the message, and the default puts it there (MESSAGE-5).',
        "take the default out, or make the field optional",
        '"optional": false, and a default',
    ),
    (
        "AP101", "note", "required-but-empty", "a required field may be empty",
        "An empty region satisfies it, and its empty value is then dropped from the message (MESSAGE-6).",
        "check the message, if the key must be there",
        '"optional": false',
    ),
)  # fmt: skip
"""Every kind of finding by its id."""
