"""The lint: what authors of response templates would want to know before their users do.

    report = lint(document)
    report.findings  # each with an id, a JSON Pointer, a reason, a remedy and, where it can be, a text that shows it

It runs the reference and looks at patterns; nothing of the reference knows it.
"""

from .findings import RULES, SEVERITIES, Finding, Report, Rule, Witness
from .run import lint

__all__ = ["RULES", "SEVERITIES", "Finding", "Report", "Rule", "Witness", "lint"]
