"""A trend as a plot: how many required cases pass at each level, from one release to the next. SVG without scripts.

pygal, which draws it, is installed by the extra `plots`.
"""

from __future__ import annotations

from typing import Any

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.trend import labels

WIDTH, HEIGHT = 960, 440
LIGHT = {"page": "#ffffff", "ink": "#1c2024", "rule": "#c3c8ce"}
DARK = {"page": "#15181b", "ink": "#e3e6e9", "rule": "#454c54"}
LINES = {
    Level.MESSAGE: ("#1a5a9c", "#8bb9ef"),
    Level.EVENTS: ("#855400", "#e2b255"),
    Level.PROMPT: ("#1d6b3e", "#7ccb98"),
}
"""A colour for each level, in light and in dark."""
LEAST_DISTANCE = 0.05
"""Of two numbers, so that both can be read; a share of all cases."""
_FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def write(trend: Json) -> str:
    """The text of an SVG file. Raises BadInput where pygal isn't installed."""
    try:
        import pygal  # here, since the rest of the kit works without it
        from pygal.style import Style
    except ImportError:
        raise BadInput("--to", "a plot needs pygal; pip install 'antiphon[plots]'") from None
    style = Style(
        background=LIGHT["page"],
        plot_background="transparent",
        foreground=LIGHT["ink"],
        foreground_strong=LIGHT["ink"],
        foreground_subtle=LIGHT["rule"],
        colors=tuple(light for light, _ in LINES.values()),
        opacity="1",
        opacity_hover="1",
        transition="0s",
        font_family=_FONT,
        **{f"{part}_font_size": 14 for part in ("label", "major_label", "legend", "value", "title")},
    )
    chart: Any = pygal.Line(style=style, **_layout(trend))
    chart.uuid = "trend"  # not a random one: the same trend gives the same plot
    chart.add_xml_filter(_without_scripts)
    for level in LINES:
        chart.add(level.value, [None, *(_point(release, level) for release in trend["releases"]), None])
    return str(chart.render(is_unicode=True)) + "\n"


def _point(release: Json, level: Level) -> dict[str, Any]:
    """A point of a line; without its number, if that would lie on the one of the level before."""
    passed = [release["passed"][one.value] for one in level.included]
    covered = len(passed) > 1 and passed[-2] - passed[-1] < LEAST_DISTANCE * sum(release["tally"].values())
    return {"value": passed[-1], **({"formatter": lambda value: ""} if covered else {})}


def _without_scripts(root: Any) -> Any:
    """The SVG without what pygal would have a script of its own read."""
    for parent in list(root.iter()):
        for child in list(parent):
            if str(child.tag).endswith("script"):
                parent.remove(child)
    return root


def _layout(trend: Json) -> dict[str, Any]:
    """How the plot is made up."""
    name, versions = labels(trend["releases"])
    total = max((sum(release["tally"].values()) for release in trend["releases"]), default=0)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "margin": 24,
        "js": (),
        "css": (*(f"file://{name}.css" for name in ("style", "graph")), f"inline:{_css()}"),
        "title": f"Required cases that {escape(name) or 'each'} passes, of {total}",
        "x_labels": ["", *map(escape, versions), ""],  # room beside the first and the last
        "y_labels": list(range(0, max(1, total) + 1, _step(total))),
        "range": (0, max(1, total)),
        "print_values": True,
        "value_formatter": lambda value: f"{value:.0f}",
        "dots_size": 4,
        "legend_at_bottom": True,
        "legend_at_bottom_columns": len(LINES),
        "truncate_legend": -1,
        "truncate_label": 24,
    }


def _step(total: int) -> int:
    """The distance of the lines behind the plot."""
    power: int = 10 ** max(0, len(str(total)) - 1)
    return max(1, power // 2)


def _css() -> str:
    """Lines that can be seen, values above them, and colours for a dark page. pygal's own rules are more special."""
    chart = "#chart-trend"

    def colored(page: str, ink: str, rule: str) -> str:
        return (
            f"{chart} .graph > .background, {chart} .plot > .background {{ fill: {page} !important }}"
            f"{chart} text {{ fill: {ink} !important }}"
            f"{chart} .axis .line {{ stroke: {ink} !important }}"
            f"{chart} .axis .guide.line {{ stroke: {rule} !important; stroke-dasharray: none !important }}"
        )

    dark = "".join(
        f"{chart} .color-{number} {{ stroke: {color} !important; fill: {color} !important }}"
        for number, (_, color) in enumerate(LINES.values())
    )
    return (
        colored(**LIGHT) + f"{chart} .series .line {{ stroke-width: 2.5px }}"
        f"{chart} .text-overlay text.value {{ text-anchor: middle; transform: translate(-14px, -24px) }}"
        f"@media (prefers-color-scheme: dark) {{ {colored(**DARK)}{dark}"
        f"{chart} .nofill {{ fill: none !important }} }}"
    )
