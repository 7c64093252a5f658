"""Commands about a template: parse and stream with it, check it, lint it, translate its patterns."""

from __future__ import annotations

from typing import Annotated

import typer
from antiphon import PROPOSALS
from antiphon_portability.autoparser.grammar import ToolChoice
from antiphon_portability.chat import Dialect
from antiphon_portability.regex import TARGETS
from rich.console import Console

from antiphon_conformance import inputs
from antiphon_conformance.templates import deriving, grammars, linting, parsing, round_trips, translating

app = typer.Typer()

TemplateFile = Annotated[
    str, typer.Argument(metavar="TEMPLATE", help="A template, or a tokenizer_config.json that has one.")
]
Text = Annotated[
    str,
    typer.Argument(metavar="[TEXT|-]", help="The generation; - or nothing: standard input, UTF-8.", show_default=False),
]
Prefix = Annotated[str | None, typer.Option("--prefix", help="The prompt that the model continued.")]
PrefixFile = Annotated[str | None, typer.Option("--prefix-file", metavar="FILE", help="A file with the prompt.")]
NoPrefix = Annotated[bool, typer.Option("--no-prefix", help="There is no prompt.")]
Tools = Annotated[
    str | None,
    typer.Option("--tools", metavar="FILE", help="A JSON list of tools; arguments are cast by their schemas."),
]
Proposals = Annotated[
    list[str] | None,
    typer.Option(
        "--proposal",
        metavar="NAME",
        help=f"Let the template use an extension under discussion: {' or '.join(PROPOSALS)}. May be repeated.",
    ),
]
TARGET_NAMES = f"{', '.join(TARGETS)}; or {inputs.ALL}"


@app.command()
def parse(
    template: TemplateFile,
    text: Text = inputs.STDIN,
    prefix: Prefix = None,
    prefix_file: PrefixFile = None,
    no_prefix: NoPrefix = False,
    tools: Tools = None,
    proposal: Proposals = None,
) -> None:
    """Print the message of a generation, as JSON."""
    parsing.parse(_given(template, prefix, prefix_file, no_prefix, tools, proposal), inputs.text_pieces(text))


@app.command()
def stream(
    template: TemplateFile,
    text: Text = inputs.STDIN,
    prefix: Prefix = None,
    prefix_file: PrefixFile = None,
    no_prefix: NoPrefix = False,
    tools: Tools = None,
    proposal: Proposals = None,
    chunk: Annotated[int, typer.Option("--chunk", metavar="N", min=1, help="Code points to feed at a time.")] = 1,
) -> None:
    """Print the events of a generation, each as soon as it is due, one JSON object a line; at last the message."""
    given = _given(template, prefix, prefix_file, no_prefix, tools, proposal)
    parsing.stream(given, inputs.chunks(inputs.text_pieces(text), chunk))


def _given(
    template: str,
    prefix: str | None,
    prefix_file: str | None,
    no_prefix: bool,
    tools: str | None,
    proposals: list[str] | None,
) -> parsing.Given:
    """What `parse` and `stream` are given, in the order in which its faults are told."""
    loaded = parsing.load(inputs.read_template(template), parsing.proposals(proposals or ()))
    text = inputs.read_prefix(prefix, prefix_file, no_prefix)
    return parsing.Given(loaded, text, inputs.read_tools(tools), tools)


@app.command()
def check(template: TemplateFile, proposal: Proposals = None) -> None:
    """Say that a template is valid, or what is wrong with it: a line for each fault (the first of each field)."""
    faults = parsing.faults(inputs.read_template(template), parsing.proposals(proposal or ()))
    print("\n".join(faults) or "valid")
    if faults:
        raise typer.Exit(1)


@app.command()
def lint(
    template: TemplateFile,
    chat_template: Annotated[
        str | None,
        typer.Option(
            "--chat-template",
            metavar="FILE",
            help="The chat template that writes its prompts: a .jinja file, or a tokenizer_config.json that has one. "
            "It may take 10 seconds, and 1 GiB where the platform can limit that.",
        ),
    ] = None,
    format_: Annotated[linting.Format, typer.Option("--format", help="How to print.")] = linting.Format.TEXT,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="TARGET", help=f"{TARGET_NAMES}, the default. May be repeated."),
    ] = None,
) -> None:
    """Say what a template's users will trip over, with texts that show it; exit status 1 for errors and warnings."""
    if not linting.run(template, chat_template, target or [inputs.ALL], format_, Console()):
        raise typer.Exit(1)


@app.command()
def derive(
    chat_template: Annotated[
        str,
        typer.Argument(
            metavar="CHAT_TEMPLATE", help="A .jinja file, or a tokenizer_config.json that has a chat template."
        ),
    ],
    analysis: Annotated[
        bool, typer.Option("--analysis", help="Print what the comparisons of renders found out, with llama.cpp's keys.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Print what showed each part, what isn't settled, what the format can't say, and the round trip.",
        ),
    ] = False,
    dialect: Annotated[
        Dialect,
        typer.Option(
            "--dialect", help="Rendered as transformers does, or leniently, as llama.cpp: then more can be compared."
        ),
    ] = Dialect.LENIENT,
) -> None:
    """Print a response template for a chat template, worked out from what it writes.

    What it doesn't understand is on standard error; exit status 1 if something comes back wrong, or nothing does.
    """
    wish = deriving.Wish(chat_template, dialect, analysis, explain)
    if not deriving.run(wish, Console(), Console(stderr=True)):
        raise typer.Exit(1)


@app.command()
def roundtrip(
    chat_template: Annotated[
        str,
        typer.Argument(
            metavar="CHAT_TEMPLATE", help="A .jinja file, or a tokenizer_config.json that has a chat template."
        ),
    ],
    response_template: Annotated[
        str,
        typer.Argument(
            metavar="RESPONSE_TEMPLATE", help="A response template, or a tokenizer_config.json that has one."
        ),
    ],
    messages: Annotated[
        str | None,
        typer.Option(
            "--messages",
            metavar="FILE",
            help="Your own conversations: a JSON list of messages, or a list of such lists; or objects with messages "
            "and tools. The assistant's last message of each is compared.",
        ),
    ] = None,
    dialect: Annotated[
        Dialect, typer.Option("--dialect", help="Rendered as transformers does, or leniently, as llama.cpp.")
    ] = Dialect.HUGGING_FACE,
    as_json: Annotated[bool, typer.Option("--json", help="Only a JSON object.")] = False,
) -> None:
    """Parse what a chat template writes, and compare it with what went in.

    Exit status 1 if something is wrong, or nothing could be compared.
    """
    wish = round_trips.Wish(chat_template, response_template, messages, dialect, as_json)
    if not round_trips.run(wish, Console(), Console(stderr=True)):
        raise typer.Exit(1)


@app.command()
def grammar(
    template: Annotated[
        str,
        typer.Argument(
            metavar="TEMPLATE",
            help="A response template, or a tokenizer_config.json that has one; or a chat template (.jinja, or a "
            "tokenizer_config.json without a response template), whose own turns tell how it writes calls.",
        ),
    ],
    tools: Annotated[str, typer.Option("--tools", metavar="FILE", help="A JSON list of tools.")],
    format_: Annotated[
        grammars.Format,
        typer.Option(
            "--format", help="GBNF, for llama.cpp; the same as JSON, with all beside it; a structural tag of XGrammar."
        ),
    ] = grammars.Format.GBNF,
    tool_choice: Annotated[
        ToolChoice, typer.Option("--tool-choice", help="Whether the model may call a tool, or has to.")
    ] = ToolChoice.AUTO,
    one_call: Annotated[bool, typer.Option("--one-call", help="At most one call in a message.")] = False,
    prompt: Annotated[
        str | None,
        typer.Option(
            "--prompt", metavar="TEXT", help=r"How the prompt ends, such as '<think>'; it may have begun reasoning."
        ),
    ] = None,
) -> None:
    """Print a grammar that holds a model to calls of these tools; what it doesn't hold it to is on standard error."""
    wish = grammars.Wish(template, tools, tool_choice, not one_call, format_, prompt)
    grammars.run(wish, Console(), Console(stderr=True))


@app.command()
def translate(
    pattern: Annotated[
        str,
        typer.Argument(
            metavar="PATTERN",
            help="A pattern; or the file of a template, or a tokenizer_config.json that has one, all of whose patterns "
            "are translated in every form, as JSON.",
        ),
    ],
    to: Annotated[
        list[str],
        typer.Option("--to", metavar="TARGET", help=f"{TARGET_NAMES}. Several, or all: a table of the verdicts."),
    ],
    hit_end: Annotated[
        bool, typer.Option("--hit-end", help="The same search on a text whose end is still to come.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Only a JSON object, one a line for each target.")] = False,
) -> None:
    """Write a pattern for another regex engine, and say how far it can be trusted; exit status 1 if it can't be."""
    if not translating.show(translating.Wish(pattern, to, hit_end, as_json), Console()):
        raise typer.Exit(1)
