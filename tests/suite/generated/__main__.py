"""`PYTHONPATH=tests:tests/suite python -m generated`: writes the generated case files into the suite."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from oracles import complete_suite

from generated import documents, written


def main() -> None:
    """Write every file, and say which have changed."""
    with TemporaryDirectory() as folder:
        for name, document in documents().items():
            path = complete_suite.SUITE / f"{name}.json"
            before = path.read_text("utf-8") if path.exists() else None
            after = written(name, document, Path(folder))
            if before != after:
                path.write_text(after, "utf-8")
                print(f"written: {name}")


if __name__ == "__main__":
    main()
