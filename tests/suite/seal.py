"""Writes conformance/suite/suite.json anew for the cases that are there. Its version is set by hand, in the file."""

from __future__ import annotations

from antiphon_conformance import resources
from antiphon_conformance.cases import identity
from antiphon_conformance.cases.suite import load_suite

if __name__ == "__main__":
    folder = resources.find("suite")
    (folder / identity.FILE).write_text(identity.sealed(load_suite(), folder), "utf-8")
