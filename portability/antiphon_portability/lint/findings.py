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
    """The findings, worst first; what was `unfinished`, because it takes too long; and what was `skipped`, because it
    can't be looked at here."""

    findings: tuple[Finding, ...]
    unfinished: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether there is nothing worse than a note."""
        return all(finding.rule.severity == "note" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        return {
            "findings": [finding.as_json() for finding in self.findings],
            "unfinished": list(self.unfinished),
            "skipped": list(self.skipped),
        }


_RULES: Final = (
    # Loading
    Rule(
        id="AP001",
        severity="error",
        name="does-not-load",
        title="the template can't be loaded",
        meaning="SPEC.md, section 1, refuses it. The reason begins with the kind of the fault.",
        remedy="correct what the reason names",
        example='"opne": "<think>"',
    ),
    Rule(
        id="AP002",
        severity="warning",
        name="key-twice",
        title="a key stands twice in one object",
        meaning="JSON readers keep the last one and say nothing, so the first has no effect.",
        remedy="take one of the two out",
        example='{"close": "a", "close": "b"}',
    ),
    # Portability
    Rule(
        id="AP010",
        severity="warning",
        name="not-portable",
        title="engines that can't run a pattern",
        meaning="Ports on these engines refuse the template.",
        remedy="write it as the reason says, or with the core constructs of DIALECT-2 only",
        example=r"(?<=\n)<end> for re2",
    ),
    Rule(
        id="AP011",
        severity="warning",
        name="approximate",
        title="engines on which a pattern finds something else",
        meaning="The translation is close, and differs on some texts.",
        remedy="write it as the reason says, or with the core constructs of DIALECT-2 only",
        example=r"\bEND for re2",
    ),
    Rule(
        id="AP012",
        severity="note",
        name="exact-if",
        title="engines on which a pattern is exact under a condition",
        meaning="The translation means the same as long as the condition holds.",
        remedy="see to the condition, or write the construct out",
        example=r"\bEND for rust",
    ),
    Rule(
        id="AP013",
        severity="note",
        name="not-streamable",
        title="engines that can run a pattern, but not streamed",
        meaning=(
            "One of the forms by which a port knows, while the stream goes on, what it may emit can't be had for them."
        ),
        remedy="write it without the construct that the reason names",
        example="(?=(?:a|b)*+c)d for ecmascript",
    ),
    Rule(
        id="AP014",
        severity="note",
        name="holds-longer",
        title="engines on which a delimiter is held for longer than it need be",
        meaning="Nothing is emitted too early, and in the end nothing else; some text only comes later.",
        remedy="nothing, if that doesn't matter; else write it with the core constructs of DIALECT-2 only",
        example="(?!ab)[ab]+ for java",
    ),
    # Today's implementations
    Rule(
        id="AP020",
        severity="warning",
        name="depends-on-chunks",
        title="in transformers and vLLM the result depends on the chunks",
        meaning=(
            "They prefer any complete match to one that starts earlier or would become longer, so the message depends "
            "on how the text was cut. Told by simulating the search of transformers 5.24; the reference gives the "
            "same message for every cut."
        ),
        remedy=(
            "write a delimiter that ends in a literal character, with no optional part behind it; where a part must be "
            "optional, say in each option what follows, as in \\)(?:\\]<end>|(?=,))"
        ),
        example='"close_pattern": "<end>|$"',
    ),
    Rule(
        id="AP021",
        severity="error",
        name="hangs",
        title="transformers loops for ever",
        meaning="An open and a close of zero width fire at one place in turn.",
        remedy="let the open or the close take at least one character",
        example=r'"open_pattern": "(?:^|<t>\\s*)", "close_pattern": "(?:</t>|$)"',
    ),
    Rule(
        id="AP022",
        severity="warning",
        name="differs-in-one-piece",
        title="transformers gives another message, also in one piece",
        meaning=(
            "Zero-width matches: it drops text that follows one in the implicit field, and takes none at the very end."
        ),
        remedy="let every option of the delimiter take at least one character",
        example=r'implicit "close_pattern": "(?=\\n)"',
    ),
    # Holding
    Rule(
        id="AP030",
        severity="warning",
        name="holds-everything",
        title="nothing streams",
        meaning=(
            "Any text may still become this delimiter, so all of it is held until the delimiter, or the end, comes."
        ),
        remedy="begin the delimiter with what the model really writes there",
        example=r'"open_pattern": "(?=[\\s\\S]*?</think>)"',
    ),
    Rule(
        id="AP031",
        severity="note",
        name="holds-without-limit",
        title="once begun, the delimiter holds any amount of text",
        meaning=(
            "After its beginning it waits for its end, however far away that is. A model that never writes the end "
            "stops the stream there."
        ),
        remedy="bound the loop, or exclude what can't stand there, such as [^\\n<]",
        example=r'"open_pattern": "<t \"[^\"]+\">"',
    ),
    Rule(
        id="AP032",
        severity="note",
        name="waits-behind-white-space",
        title="the close waits for the first character that isn't white space",
        meaning=(
            "The reference closes the region at once; transformers and vLLM give its region_close, and so the tool "
            "call, only with what follows or at the end."
        ),
        remedy=(
            "nothing, if late tool calls don't matter; else close with the literal and let the next open take the space"
        ),
        example=r'"close_pattern": "</call>\\s*"',
    ),
    Rule(
        id="AP033",
        severity="note",
        name="holds-much",
        title="the delimiter may hold a long text",
        meaning="A counted loop holds up to its bound.",
        remedy="lower the bound",
        example='"open_pattern": "<t [^>]{1,500}>"',
    ),
    Rule(
        id="AP034",
        severity="warning",
        name="decided-at-the-end",
        title="the delimiter isn't decided before the end of the text",
        meaning="A greedy loop takes the last place where the rest matches, and only the end tells which is the last.",
        remedy="make the loop lazy (.*?), or let it exclude what ends it",
        example='"open_pattern": "<t>.*<m>"',
    ),
    # Regions that collide
    Rule(
        id="AP040",
        severity="warning",
        name="same-open",
        title="two fields open alike",
        meaning="Both match the same text with the same length. The field's name decides (DELIM-1).",
        remedy="open them by different texts",
        example='a: "<t>", b: "<(?:t|u)>"',
    ),
    Rule(
        id="AP041",
        severity="note",
        name="open-begins-another",
        title="one field's open begins another's",
        meaning="Where the shorter stands, its region opens only when the longer has become impossible.",
        remedy="nothing, if a late region_open doesn't matter",
        example='a: "<t>", b: "<t>b"',
    ),
    Rule(
        id="AP042",
        severity="warning",
        name="never-opens",
        title="a field that never opens",
        meaning="Wherever its open stands, another field's open fires.",
        remedy="take it out, or open the other field by a text that isn't a part of it",
        example='a: "<t>", b: "t>"',
    ),
    Rule(
        id="AP043",
        severity="note",
        name="swallows",
        title="a region without a close takes all that follows",
        meaning="Opens of other fields inside it are text (REGION-7).",
        remedy="give it a close, if other fields can follow",
        example='{"open": "<think>"}, and tool calls',
    ),
    Rule(
        id="AP044",
        severity="warning",
        name="matches-nothing-anywhere",
        title="a delimiter that stands everywhere",
        meaning="It matches the empty text in the middle of ordinary text, so it cuts it up.",
        remedy="let it take at least one character, or add a lookahead that names what follows",
        example='"open_pattern": "x*"',
    ),
    Rule(
        id="AP045",
        severity="warning",
        name="fires-in-ordinary-text",
        title="a delimiter that fires in ordinary text",
        meaning=(
            "It takes a part of a sentence, a list or a piece of code that has nothing to do with the template, and "
            "the message then lacks that, or more. Often a token that isn't escaped: | makes alternatives of it, and "
            "[] a set."
        ),
        remedy="begin it with a text that stands in no answer, such as a special token",
        example='"close_pattern": "<|im_end|>"',
    ),
    Rule(
        id="AP046",
        severity="warning",
        name="eats-the-next-open",
        title="a close that takes what the next field opens by",
        meaning="What a close has taken is gone, so the next field doesn't open there.",
        remedy="close before it, by a lookahead",
        example='"close": "<answer>", and content: "open": "<answer>"',
    ),
    Rule(
        id="AP047",
        severity="note",
        name="takes-no-text",
        title="no field takes text outside of regions",
        meaning="An answer that no delimiter comes before isn't in the message.",
        remedy='add "content": {}',
        example="reasoning_content and tool_calls only",
    ),
    Rule(
        id="AP048",
        severity="note",
        name="meant-as-pattern",
        title="a literal that looks like a pattern, or an open that ends in $",
        meaning="A literal is looked for as it stands; $ is the end of the text, behind which no region can begin.",
        remedy="write it as open_pattern or close_pattern",
        example=r'"close": "</think>\\s*"',
    ),
    Rule(
        id="AP049",
        severity="note",
        name="closes-in-a-string",
        title="a close that ends the region in a string",
        meaning=(
            "Arguments may quote it, for instance code or a text about tool calls. The call is then lost, and what "
            "stands behind the quoted close is taken for the answer."
        ),
        remedy=(
            "let it count behind a bracket only, as (?<=[}\\]])\\s*</call>; the rest is left to the proposal "
            "close-outside-strings (reference/proposals)"
        ),
        example='"content": "json", "close": "</call>"',
    ),
    Rule(
        id="AP050",
        severity="warning",
        name="blank-overwrites",
        title="white space replaces the answer",
        meaning=(
            "White space behind a delimiter is a region of the implicit field (REGION-9), and its empty value "
            "replaces the one before (MESSAGE-3)."
        ),
        remedy=(
            "swallow the white space in the delimiter: \\s* at its end; that it then waits for what follows (AP032) is "
            "the lesser evil"
        ),
        example='"close": "</call>", and a newline behind it',
    ),
    Rule(
        id="AP051",
        severity="warning",
        name="last-call-only",
        title="only the last tool call is kept",
        meaning="The field holds one value, not a list, so each call replaces the one before (MESSAGE-3).",
        remedy='add "repeats": true',
        example="tool_calls with a transform, without repeats",
    ),
    Rule(
        id="AP052",
        severity="note",
        name="blank-after-the-end",
        title="white space behind the end of the message replaces the answer",
        meaning=(
            "As AP050, but behind a close that ends the message: a model stops there, yet a text that was rendered "
            "for training goes on with a newline."
        ),
        remedy="swallow the white space in the close: \\s* at its end",
        example='"close": "<|im_end|>", and a newline behind it',
    ),
    Rule(
        id="AP053",
        severity="note",
        name="calls-without-shape",
        title="tool_calls that isn't a list of objects",
        meaning="Programs expect a list there, of objects with the function's name and its arguments.",
        remedy='add "content": "json", "repeats": true, and a transform',
        example='"tool_calls": {"open": "<tool_call>", "close": "</tool_call>"}',
    ),
    # Speed
    Rule(
        id="AP060",
        severity="error",
        name="exponential",
        title="exponential search",
        meaning=(
            "Loops in each other, or many side by side, can take the same text in many ways, and all are tried. Steps "
            "of a plain backtracking search, counted; engines with memory or without backtracking are spared."
        ),
        remedy="let the inner and the outer loop begin with different characters, or write one loop",
        example='"<t(?:a|aa)+>"',
    ),
    Rule(
        id="AP061",
        severity="warning",
        name="polynomial",
        title="cubic search, or worse",
        meaning="Loops that follow each other can take the same text. Counted as for AP060.",
        remedy="let neighbouring loops take different characters, or drop one: strip is the default of text",
        example=r'"<t>\\s*(?P<value>.*?)\\s*</t>"',
    ),
    Rule(
        id="AP062",
        severity="note",
        name="quadratic",
        title="quadratic search",
        meaning=(
            "Each place of a long run is tried, and each try goes to the run's end. Harmless unless a model writes "
            "many thousands of these. Counted as for AP060."
        ),
        remedy="bound the loop if such runs are likely",
        example=r'"\\s*<call>"',
    ),
    # The chat template
    Rule(
        id="AP070",
        severity="warning",
        name="not-rendered",
        title="the chat template can't be rendered",
        meaning="So nothing can be said of the prompt. A small conversation is rendered as Hugging Face does.",
        remedy="correct the chat template, or check the prompt by `antiphon stream --prefix-file`",
        example='{{ raise_exception("no") }}',
    ),
    Rule(
        id="AP071",
        severity="error",
        name="anchor-not-found",
        title="the start anchor isn't in the prompt",
        meaning="The whole prompt is parsed, and becomes a part of the message (ANCHOR-2).",
        remedy="write as anchor what the generation prompt ends with",
        example=r'"<bot>\n", where the prompt ends in "<bot>"',
    ),
    Rule(
        id="AP072",
        severity="warning",
        name="prompt-in-message",
        title="a part of the prompt becomes part of the message",
        meaning="What stands behind the anchor's last match goes through the parser (ANCHOR-4).",
        remedy="let the anchor match this part too, as one more option",
        example='"<bot>", where the prompt ends in "<bot>Sure: "',
    ),
    Rule(
        id="AP073",
        severity="error",
        name="anchor-elsewhere",
        title="the start anchor matches an earlier turn only",
        meaning="The turns after it are parsed as if the model had just written them.",
        remedy="write as anchor what the generation prompt ends with",
        example='"<assistant>", which only past turns have',
    ),
    Rule(
        id="AP074",
        severity="warning",
        name="comes-back-wrong",
        title="what the chat template writes comes back as something else",
        meaning=(
            "Conversations are rendered, and the last turn of each is parsed behind its prompt, with what ends it and "
            "without, since servers often leave special tokens out. `antiphon roundtrip` shows all of them."
        ),
        remedy="let the delimiters, the content kind and the transform read the text as it stands",
        example='"content": "json", where it writes <call>f(x=1)</call>',
    ),
    Rule(
        id="AP075",
        severity="note",
        name="comes-back-changed",
        title="something of what the chat template writes is lost",
        meaning=(
            "As for AP074, but only a part or a type is lost. Spaces around content and reasoning aren't told: text is "
            "stripped by default (KIND-TEXT-1)."
        ),
        remedy="let the delimiters, the content kind and the transform take it from the text",
        example="a call's id, without {id} in the transform",
    ),
    # Captures
    Rule(
        id="AP080",
        severity="warning",
        name="capture-missing",
        title="a capture that the transform needs may be missing",
        meaning="The delimiter can match without the group, and the message then fails (placeholder-unresolved).",
        remedy="let the group take part in every match, or leave its placeholder out",
        example=r'"</c(?P<end>\\d)>|</c>", and {end}',
    ),
    Rule(
        id="AP081",
        severity="note",
        name="capture-unused",
        title="a named group that the transform doesn't use",
        meaning="Its text is in no message.",
        remedy="use it in the transform, or write (?:…)",
        example=r'"<call (?P<id>\\d)>", without {id}',
    ),
    # Names
    Rule(
        id="AP090",
        severity="note",
        name="unusual-name",
        title="a field name that most chat templates don't read",
        meaning="A message is appended to the conversation; what the chat template doesn't read there is lost.",
        remedy="check the name with --chat-template, or write the usual one",
        example="thinking, without --chat-template",
    ),
    Rule(
        id="AP091",
        severity="warning",
        name="name-not-read",
        title="the chat template doesn't read this field",
        meaning="It reads another name for the same thing, or nothing like it, so the next turn's prompt lacks it.",
        remedy="name the field as the chat template does",
        example="thinking, where it reads reasoning_content",
    ),
    Rule(
        id="AP092",
        severity="note",
        name="no-role",
        title="the message has no role",
        meaning="Chat templates choose by it how a message is written.",
        remedy='add "defaults": {"role": "assistant"}',
        example='no "defaults"',
    ),
    # Required fields
    Rule(
        id="AP100",
        severity="note",
        name="required-by-default",
        title="a required field that has a default is never missing",
        meaning='"optional": false asks whether the key is in the message, and the default puts it there (MESSAGE-5).',
        remedy="take the default out, or make the field optional",
        example='"optional": false, and a default',
    ),
    Rule(
        id="AP101",
        severity="note",
        name="required-but-empty",
        title="a required field may be empty",
        meaning="An empty region satisfies it, and its empty value is then dropped from the message (MESSAGE-6).",
        remedy="check the message, if the key must be there",
        example='"optional": false',
    ),
)

RULES: Final = {rule.id: rule for rule in _RULES}
"""Every kind of finding by its id."""
