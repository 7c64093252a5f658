"""The GitHub action: its form by the schema of actions, and its steps, run in order as a runner would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
ACTION = ROOT / "action.yml"
FAKE = ROOT / "tests/conformance/fake_adapter.py"
README = (ROOT / "conformance/README.md").read_text("utf-8")
EXPRESSION = re.compile(r"\$\{\{ *([^}]*?) *\}\}")


def action() -> Any:
    return YAML(typ="safe").load(ACTION.read_text("utf-8"))


def steps() -> dict[str, Any]:
    return {step.get("id", step.get("name")): step for step in action()["runs"]["steps"]}


def test_its_form_is_that_of_an_action() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_input_and_output_is_used_and_told() -> None:
    document, text = action(), ACTION.read_text("utf-8")
    for name in document["inputs"]:
        assert f"inputs.{name} " in text, name
    section = README.partition("## On GitHub")[2].partition("\n## ")[0]
    for name in [*document["inputs"], *document["outputs"]]:
        assert f"`{name}`" in section, name


@dataclass(frozen=True)
class Ran:
    """What came of the step that runs the suite: exit status, output, summary, and the outputs of the action."""

    status: int
    printed: str
    summary: str
    outputs: Mapping[str, str]


@pytest.fixture
def runner(tmp_path: Path) -> Path:
    """A runner's folder for temporary files, in which the kit counts as installed."""
    binaries = tmp_path / "antiphon/bin"
    binaries.mkdir(parents=True)
    for name, module in (("antiphon", "-m antiphon_conformance.cli"), ("python", "")):
        script = binaries / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {module} "$@"\n')
        script.chmod(0o755)
    return tmp_path


def run(runner: Path, **inputs: str) -> Ran:
    """The step `run` with these inputs, and the defaults of the others."""
    document = action()
    given = {name: str(about.get("default", "")) for name, about in document["inputs"].items()} | inputs
    step = steps()["run"]
    summary, outputs = runner / "summary.md", runner / "outputs"
    environment = {name: _filled(value, given) for name, value in step["env"].items()}
    runner_s = {"RUNNER_TEMP": runner, "GITHUB_STEP_SUMMARY": summary, "GITHUB_OUTPUT": outputs}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # as GitHub's runner starts `bash`
        env={**os.environ, **environment, **{name: str(path) for name, path in runner_s.items()}},
        cwd=runner / _filled(step["working-directory"], given),
        capture_output=True,
        text=True,
    )
    lines = outputs.read_text().splitlines() if outputs.exists() else []
    return Ran(
        done.returncode,
        done.stdout + done.stderr,
        summary.read_text() if summary.exists() else "",
        dict(line.split("=", 1) for line in lines),
    )


def _filled(text: str, inputs: Mapping[str, str]) -> str:
    """A value with its expressions evaluated; only inputs stand in them."""
    return EXPRESSION.sub(lambda found: inputs[found[1].removeprefix("inputs.")], text)


def test_an_implementation_that_conforms(runner: Path) -> None:
    done = run(runner, adapter="reference", level="prompt", filter="regions/current/*\nregions/empty/*")
    assert done.status == 0, done.printed
    assert done.outputs["conforms"] == "prompt"
    assert int(done.outputs["passed"]) > 10
    assert done.outputs["failed"] == "0"
    assert Path(done.outputs["report"]).exists()
    assert (Path(done.outputs["report"]).parent / "report.html").exists()
    assert "antiphon" in done.summary


def test_an_implementation_that_fails(runner: Path) -> None:
    """The step fails, and all the same there are a summary, a report and outputs."""
    adapter = shlex.join([sys.executable, str(FAKE), "good"])
    done = run(
        runner, adapter=adapter, filter="regions/current/*", jobs="1", reports="more/junit.xml\nbadge.badge.json"
    )
    assert done.status == 1
    assert done.outputs["conforms"] == ""
    assert int(done.outputs["failed"]) > 0
    assert "fake" in done.summary
    assert (runner / "more/junit.xml").exists()
    assert (runner / "badge.badge.json").exists()


def test_expected_failures_shards_and_peers(runner: Path) -> None:
    adapter = shlex.join([sys.executable, str(FAKE), "good"])
    command = ["antiphon", "conformance", "run", "--adapter", adapter, "--filter", "regions/current/*"]
    subprocess.run([*command, "--baseline", runner / "known.txt", "--update-baseline"], capture_output=True)
    options = {"adapter": adapter, "filter": "regions/current/*", "baseline": "known.txt"}
    assert run(runner, **options).status == 0
    part = run(runner, **options, shard="1/2", peer="reference")
    assert part.status == 0
    assert "reference" in part.printed or "antiphon" in part.printed
    assert int(part.outputs["failed"]) < int(run(runner, **options).outputs["failed"])


def test_misuse_fails_the_step_and_says_why(runner: Path) -> None:
    done = run(runner, adapter="no-such-command")
    assert done.status == 2
    assert "is neither the name of an adapter" in done.printed
    assert not done.outputs


def test_the_report_of_an_earlier_step_is_not_taken_for_its_own(runner: Path) -> None:
    (runner / "antiphon-report").mkdir()
    (runner / "antiphon-report/report.json").write_text('{"implementations": []}')
    done = run(runner, adapter="no-such-command")
    assert (done.status, done.summary, done.outputs) == (2, "", {})


def test_the_kit_that_it_comes_with_is_installed_and_run(tmp_path: Path) -> None:
    """For real: a virtual environment, pip, and then the suite with what pip has installed there."""
    step = steps()["Install the kit"]
    given = {"PYTHON": sys.executable, "VERSION": "", "SOURCE": str(ROOT), "RUNNER_TEMP": str(tmp_path)}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]], env={**os.environ, **given}, capture_output=True, text=True
    )
    if done.returncode != 0:
        pytest.skip(f"pip can't get what the kit needs: {done.stderr.strip().splitlines()[-1]}")
    ran = run(tmp_path, adapter="reference", level="prompt", filter="regions/current/*")
    assert ran.status == 0, ran.printed
    assert ran.outputs["conforms"] == "prompt"


@pytest.mark.parametrize(("version", "wanted"), [("", "the source"), ("0.1.0", "antiphon==0.1.0")])
def test_what_is_installed(tmp_path: Path, version: str, wanted: str) -> None:
    """By a Python that only tells what it was asked for: the kit of the action itself, or a release."""
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\n[ "$2" = venv ] && mkdir -p "$3/bin" && cp "$0" "$3/bin/python"\necho "$@" >> "$RUNNER_TEMP/log"\n'
    )
    python.chmod(0o755)
    given = {"PYTHON": str(python), "VERSION": version, "SOURCE": "the source", "RUNNER_TEMP": str(tmp_path)}
    step = steps()["Install the kit"]
    assert set(step["env"]) | {"RUNNER_TEMP"} == set(given)
    subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], env={**os.environ, **given}, check=True)
    assert (tmp_path / "log").read_text().splitlines() == [
        f"-m venv {tmp_path}/antiphon",
        f"-m pip install --quiet {wanted}",
    ]


def test_the_reports_are_uploaded_whatever_comes() -> None:
    """Unless there are none, or the user doesn't want it."""
    step = steps()["Upload the reports"]
    assert "always()" in step["if"]
    assert "steps.run.outputs.report != ''" in step["if"]
    assert "/antiphon-report" in step["with"]["path"]
    assert "folder=$RUNNER_TEMP/antiphon-report" in steps()["run"]["run"]
