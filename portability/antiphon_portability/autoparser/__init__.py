"""How a model writes its messages, worked out from its chat template.

A chat template is rendered with pairs of conversations, and the renders are compared: what one has and the other
hasn't tells what delimits it. That is how llama.cpp's auto-parser goes about it, and the analysis is the same.
"""

from antiphon_portability.autoparser.analysis.comparisons import Comparison, Comparisons
from antiphon_portability.autoparser.analysis.conversations import PAIRS, Step
from antiphon_portability.autoparser.analysis.differences import DiffSplit, diff_split
from antiphon_portability.autoparser.analysis.results import Analysis
from antiphon_portability.autoparser.analysis.run import analyse
from antiphon_portability.autoparser.errors import NotAnalysed

__all__ = [
    "PAIRS",
    "Analysis",
    "Comparison",
    "Comparisons",
    "DiffSplit",
    "NotAnalysed",
    "Step",
    "analyse",
    "diff_split",
]
