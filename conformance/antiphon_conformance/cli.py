"""The command line `antiphon`: each command reads its arguments and calls one function.

Exit status: 0; 1 for what was found (a generation that can't be parsed, a faulty template, a lint's errors and
warnings, failing cases); 2 for bad input and misuse, with one line on standard error; for a faulty pattern, two more
show the place.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from antiphon_portability.regex import TARGETS
from rich.console import Console

from antiphon_conformance import inputs, linting, parsing, session, translating
from antiphon_conformance.adapters import RUN_SECONDS
from antiphon_conformance.compare import Level
from antiphon_conformance.display import escape
from antiphon_conformance.report import Settings, kit_version

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Response templates for LLM output: parse with them, check them, and judge implementations of them.",
)
conformance = typer.Typer(no_args_is_help=True, help="Judge implementations.")
suite = typer.Typer(no_args_is_help=True, help="Look at the conformance suite.")
app.add_typer(conformance, name="conformance")
app.add_typer(suite, name="suite")

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
TARGET_NAMES = f"{', '.join(TARGETS)}; or {inputs.ALL}"
SuiteFolder = Annotated[Path | None, typer.Option("--suite", metavar="DIR", help="Another suite than the kit's own.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"antiphon {kit_version() or 'unreleased'}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """What all commands share."""


@app.command()
def parse(
    template: TemplateFile,
    text: Text = inputs.STDIN,
    prefix: Prefix = None,
    prefix_file: PrefixFile = None,
    no_prefix: NoPrefix = False,
    tools: Tools = None,
) -> None:
    """Print the message of a generation, as JSON."""
    parsing.parse(_given(template, prefix, prefix_file, no_prefix, tools), inputs.text_pieces(text))


@app.command()
def stream(
    template: TemplateFile,
    text: Text = inputs.STDIN,
    prefix: Prefix = None,
    prefix_file: PrefixFile = None,
    no_prefix: NoPrefix = False,
    tools: Tools = None,
    chunk: Annotated[int, typer.Option("--chunk", metavar="N", min=1, help="Code points to feed at a time.")] = 1,
) -> None:
    """Print the events of a generation, each as soon as it is due, one JSON object a line; at last the message."""
    given = _given(template, prefix, prefix_file, no_prefix, tools)
    parsing.stream(given, inputs.chunks(inputs.text_pieces(text), chunk))


def _given(
    template: str, prefix: str | None, prefix_file: str | None, no_prefix: bool, tools: str | None
) -> parsing.Given:
    """What `parse` and `stream` are given, in the order in which its faults are told."""
    loaded = parsing.load(inputs.read_template(template))
    text = inputs.read_prefix(prefix, prefix_file, no_prefix)
    return parsing.Given(loaded, text, inputs.read_tools(tools), tools)


@app.command()
def check(template: TemplateFile) -> None:
    """Say that a template is valid, or what is wrong with it: a line for each fault (the first of each field)."""
    faults = parsing.faults(inputs.read_template(template))
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


@conformance.command()
def run(
    adapter: Annotated[
        list[str] | None,
        typer.Option(
            "--adapter",
            metavar="NAME_OR_COMMAND",
            help="reference, transformers, or a command that speaks the protocol. May be repeated.",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            "--peer",
            metavar="NAME_OR_COMMAND",
            help="Like --adapter, for comparison: judged and shown, but left out of the exit status.",
        ),
    ] = None,
    filter_: Annotated[
        str | None,
        typer.Option("--filter", metavar="GLOB", help="Only cases whose full id, or one of whose clauses, matches."),
    ] = None,
    level: Annotated[
        Level, typer.Option("--level", help="What counts as a failure; each level includes those before it.")
    ] = Level.EVENTS,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a JSON report; folders are made.")
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="SECONDS", min=0.01, max=86_400, help="How long an adapter may take for one run."
        ),
    ] = RUN_SECONDS,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="What the random chunkings are made from.")] = 0,
    suite: SuiteFolder = None,
) -> None:
    """Run the suite against implementations; exit status 1 if a required case fails."""
    settings = Settings(level, seed, filter_, timeout)
    plan = session.Plan(adapter or ["reference"], settings, peer or [], suite, report)
    if not session.run(plan, Console()):
        raise typer.Exit(1)


@conformance.command()
def matrix(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="Files that `run --report` wrote.")],
    filter_: Annotated[str | None, typer.Option("--filter", metavar="GLOB", help="As for `run`.")] = None,
) -> None:
    """Print the cases of reports against their implementations; written to a file, it is a Markdown table."""
    session.show_matrix(reports, filter_, Console())


@suite.command()
def coverage(
    minimum: Annotated[
        int, typer.Option("--minimum", metavar="N", min=0, help="How many cases a clause should have.")
    ] = 2,
    cases: Annotated[bool, typer.Option("--cases", help="List all cases of each clause.")] = False,
    suite: SuiteFolder = None,
) -> None:
    """List the clauses of SPEC.md with their cases; exit status 1 if one has too few, or doesn't exist."""
    if not session.show_coverage(suite, minimum, Console(), all_cases=cases):
        raise typer.Exit(1)


@suite.command()
def show(
    full_id: Annotated[str, typer.Argument(metavar="ID", help="The full id of a case.")],
    chunking: Annotated[
        str | None,
        typer.Option("--chunking", metavar="NAME", help='As a report names it: whole, each, or "cut at 4,7".'),
    ] = None,
    requests: Annotated[
        bool,
        typer.Option("--requests", help="The lines that run it, to be piped into an adapter; without NAME by all."),
    ] = False,
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect", metavar="TARGET", help="Like --requests, for an adapter whose dialect is this target."
        ),
    ] = None,
    suite: SuiteFolder = None,
) -> None:
    """Print a case: what is given, its text as it is cut, and what is expected at which moment."""
    if requests or dialect is not None:
        session.show_requests(suite, full_id, chunking, dialect)
    else:
        session.show_case(suite, full_id, chunking, Console())


def main() -> None:
    """The console script. Never shows a traceback for what a user can cause."""
    sys.exit(_status())


def _status() -> int:
    if sys.stdout is None:
        return _complain("standard output is closed; send it somewhere", 2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for marks that the terminal's encoding lacks
    try:
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
        return status
    except (inputs.BadInput, FileNotFoundError) as error:
        return _complain(str(error), 2, getattr(error, "excerpt", ""))
    except parsing.ParseFailed as error:
        return _complain(str(error), 1)
    except OSError as error:  # of standard output: all others are bad input
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains while it exits
        if isinstance(error, BrokenPipeError):
            return 1
        return _complain(f"standard output can't be written: {error.strerror}; send it elsewhere", 2)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", 130)
    except Exception as error:
        usage = getattr(error, "format_message", None)  # a usage error of typer, whose class has no public name
        if usage is None:
            raise
        problem = usage().rstrip(".").replace("Value error, ", "") or "name a command"
        return _complain(f"{problem}; see --help", 2)


def _complain(problem: str, status: int, excerpt: str = "") -> int:
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # the status says it, too
            below = f"\n{excerpt}" if excerpt else ""
            print(f"antiphon: {escape(problem)}{below}", file=sys.stderr, flush=True)
    return status


if __name__ == "__main__":
    main()
