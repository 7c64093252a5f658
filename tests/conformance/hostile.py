"""A report whose every text tries to break out of what it stands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs.runner import run_adapter
from made_up import TEMPLATE, case_source, fake, write_suite

SCRIPT = "</script><script>window.broken=1</script><img src=x onerror=window.broken=1>"
TEXT = f"{SCRIPT} ]]> {{{{ 7*7 }}}} `` | \x00\x1b[31m\ud800\u202e\u2028\ufffe"
FIELD = "<b onclick=window.broken=1>'\""


def hostile(folder: Path) -> Content:
    """Cases that a fake adapter fails, with TEXT in all that it and the suite say."""
    wrong = {"message": {"content": TEXT}, "events": [{"type": "region_open", "field": FIELD}]}
    fields: Any = {FIELD: {"open": SCRIPT}, "content": {}}
    cases = [
        case_source(id="wrong", description=TEXT, template={**TEMPLATE, "fields": fields}, expect=wrong, prefix=TEXT),
        case_source(id="right", description=SCRIPT),
        case_source(id="lacks", requires=["lookbehind"], description=SCRIPT),
        case_source(id="crash", description=SCRIPT, text="bad"),
    ]
    suite = load_suite(write_suite(folder, *cases))
    document: Json = report.document(suite, [run_adapter(fake("crash"), suite)], Settings(Level.PROMPT))
    implementation = document["implementations"][0]
    implementation |= {"name": TEXT, "adapter": f"node '{SCRIPT}'", "language": TEXT}
    for case in implementation["cases"]:
        for failure in case["failures"]:
            failure |= {"reason": failure["reason"] + TEXT, "stderr": [TEXT]}
        if "lacks" in case:
            case["lacks"] = [TEXT]
    other = {**implementation, "name": "quiet", "version": "2", "adapter": "quiet"}
    document["implementations"].append(other)
    return Content([document], lambda: suite, folder)
