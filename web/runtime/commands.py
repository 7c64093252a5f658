"""Other programs, run within a time limit that holds for all that they start."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from runtime.pins import BuildFailed


def run(
    command: Sequence[str], seconds: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """What it prints; `environment` is added to this one's. Raises BuildFailed, with the line that tells most."""
    what = f"`{' '.join([Path(command[0]).name, *command[1:3]])}`"
    try:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | dict(environment or {}), text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise BuildFailed(f"{what} doesn't run: {error.strerror}") from None
    with process:
        try:
            printed, complaints = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise BuildFailed(f"{what} took too long") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        lines = (printed + complaints).strip().splitlines() or ["it doesn't say why"]
        raise BuildFailed(
            f"{what} failed: {next((line for line in lines if 'error:' in line.lower()), lines[-1]).strip()}"
        )
    return printed
