"""The part of a page that is made, not written: it stands between two lines that are marks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class MadePart:
    """What stands in a page between the first line `begin` and the next line `end`, both with their line ends."""

    page: Path
    begin: str
    end: str = "<!-- end -->\n"

    def read(self) -> str:
        """The part, as the page has it. Raises ValueError if a mark is missing."""
        return self._split()[1]

    def write(self, text: str) -> None:
        """Put another text there. Raises ValueError if a mark is missing; nothing is changed then."""
        before, _, after = self._split()
        self.page.write_text(before + self.begin + text + self.end + after, "utf-8")

    def _split(self) -> tuple[str, str, str]:
        before, begin, rest = self.page.read_text("utf-8").partition(self.begin)
        part, end, after = rest.partition(self.end)
        if not begin or not end:
            raise ValueError(f"{self.page.name} has no line {self.end if begin else self.begin!r}")
        return before, part, after
