"""Options that several commands share, or that belong to one large group of them, as types of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from antiphon_conformance.judging.compare import Level as LevelName

CASES, RUNS, OUTCOME = "Which cases", "How they are run", "What becomes of it"
NAME_OR_COMMAND = "NAME_OR_COMMAND"

Adapters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--adapter",
        metavar=NAME_OR_COMMAND,
        help="A name that `antiphon conformance adapters` lists, or a command that speaks the protocol. "
        "May be repeated.",
    ),
]
Peers: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--peer",
        metavar=NAME_OR_COMMAND,
        help="Like --adapter, for comparison: judged and shown, but left out of the exit status.",
    ),
]

# which cases

SuiteFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--suite", metavar="DIR", help="Another suite than the kit's own.", rich_help_panel=CASES),
]
Filters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="GLOB",
        help="Only cases whose full id, or one of whose clauses, matches; '!GLOB': all but those. May be repeated: "
        "any that fits chooses, any with ! leaves out.",
        rich_help_panel=CASES,
    ),
]
Requires: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--requires",
        metavar="SLUG",
        help="Only cases that need this content kind or pattern construct; '!SLUG': all but those. "
        "May be repeated likewise.",
        rich_help_panel=CASES,
    ),
]
Shard: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Only the I-th of N parts; `antiphon conformance merge` joins their reports.",
        rich_help_panel=CASES,
    ),
]

# how they are run

Jobs: TypeAlias = Annotated[
    str,
    typer.Option(
        "--jobs",
        metavar="N",
        help="How many processes of each adapter work at the same time; `auto`: one for each processor.",
        rich_help_panel=RUNS,
    ),
]
Timeout: TypeAlias = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0.01,
        max=86_400,
        help="How long an adapter may take for one run.",
        rich_help_panel=RUNS,
    ),
]
CaseTimeout: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--case-timeout",
        metavar="SECONDS",
        min=0.01,
        max=86_400,
        help="How long an adapter may take for all runs of a case; no limit, if it isn't given.",
        rich_help_panel=RUNS,
    ),
]
Seed: TypeAlias = Annotated[
    str,
    typer.Option(
        "--seed",
        metavar="N",
        help="What the random chunkings are made from; `random`: a new one, which is printed.",
        rich_help_panel=RUNS,
    ),
]
Repeat: TypeAlias = Annotated[
    int,
    typer.Option(
        "--repeat",
        metavar="N",
        min=1,
        max=1000,
        help="Run everything N times, and tell what differs.",
        rich_help_panel=RUNS,
    ),
]
FailFast: TypeAlias = Annotated[
    bool,
    typer.Option("--fail-fast", help="End with the first failure that counts.", rich_help_panel=RUNS),
]

# what becomes of it

Level: TypeAlias = Annotated[
    LevelName,
    typer.Option(
        "--level",
        help="What counts as a failure; each level includes those before it.",
        rich_help_panel=OUTCOME,
    ),
]
Reports: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a report in the form of its suffix: .json, .html, .md, .xml (JUnit) or .badge.json. Folders are "
        "made. May be repeated.",
        rich_help_panel=OUTCOME,
    ),
]
BaselineFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="The failures that are expected. Others count, and so do those of them that are fixed.",
        rich_help_panel=OUTCOME,
    ),
]
UpdateBaseline: TypeAlias = Annotated[
    bool,
    typer.Option("--update-baseline", help="Bring that file up to date, or make it.", rich_help_panel=OUTCOME),
]
