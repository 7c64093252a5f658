"""The command line `antiphon`: its groups of commands, and what they all do about bad input.

Exit status: 0; 1 for what was found (a generation that can't be parsed, a faulty template, a lint's errors and
warnings, a round trip that goes wrong, failing cases); 2 for bad input and misuse, with one line on standard error; for
a faulty pattern, two more show the place.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Annotated

import typer

from antiphon_conformance import inputs, resources
from antiphon_conformance.cases import identity
from antiphon_conformance.commands import adapters, conformance, reports, suite, templates
from antiphon_conformance.display import escape
from antiphon_conformance.reports.document import kit_version
from antiphon_conformance.templates import parsing

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Response templates for LLM output: parse with them, check them, and judge implementations of them.",
)
app.add_typer(templates.app)
conformance.app.add_typer(reports.app)
conformance.app.add_typer(adapters.app)
app.add_typer(conformance.app, name="conformance")
app.add_typer(suite.app, name="suite")


def _print_version(wanted: bool) -> None:
    if wanted:
        suite = identity.version(resources.find("suite"))
        print(f"antiphon {kit_version() or 'unreleased'}, suite {suite}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the versions.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """What all commands share."""


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
    except OSError as error:  # without a file's name it's of standard output
        if error.filename is not None:
            return _complain(f"{os.fsdecode(error.filename)}: {error.strerror}; name another file or folder", 2)
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
