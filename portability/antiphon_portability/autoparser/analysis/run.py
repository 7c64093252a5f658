"""An analysis, from the comparisons to the corrections."""

from __future__ import annotations

from antiphon_portability.autoparser.analysis.capabilities import capabilities
from antiphon_portability.autoparser.analysis.comparisons import Compare, Comparisons
from antiphon_portability.autoparser.analysis.content import content
from antiphon_portability.autoparser.analysis.families import family
from antiphon_portability.autoparser.analysis.preserved import preserved_tokens
from antiphon_portability.autoparser.analysis.reasoning import reasoning
from antiphon_portability.autoparser.analysis.results import Analysis, Capabilities, Tools
from antiphon_portability.autoparser.analysis.tools import tools
from antiphon_portability.autoparser.analysis.turns import assistant_start, generation_prompt, user_start
from antiphon_portability.autoparser.analysis.workarounds import worked_around
from antiphon_portability.chat import NotRendered, Renderer


def analyse(renderer: Renderer, comparisons: Comparisons | None = None) -> Analysis:
    """`comparisons`: of the same renderer, for who wants to see afterwards which were made.

    Raises NotRendered, if no conversation can be rendered; NotAnalysed; TooMuch.
    """
    compare = comparisons or Comparisons(renderer)
    found = analysis_of(renderer.chat_template, capabilities(renderer), compare)
    if not compare.made:
        raise NotRendered(next(iter(compare.absent.values())))
    return found


def analysis_of(source: str, caps: Capabilities, compare: Compare) -> Analysis:
    """Of a chat template whose capabilities are known. Raises NotAnalysed."""
    found_reasoning = reasoning(compare, has_calls=caps.supports_tool_calls)
    found_content = content(compare, found_reasoning)
    found_tools = Tools()
    if caps.supports_tool_calls:
        found_tools = tools(compare, found_reasoning, in_parallel=caps.supports_parallel_tool_calls)
    found = Analysis(
        caps,
        user_start(compare),
        assistant_start(compare, found_reasoning),
        found_reasoning,
        found_content,
        found_tools,
        preserved_tokens(found_reasoning, found_content, found_tools),
        generation_prompt=generation_prompt(compare),
        specialized=family(source),
    )
    return worked_around(source, found)
