"""Turns with calls, and the texts that stand around the calls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antiphon_portability.autoparser.analysis.conversations import ANSWER

from . import gaps
from .gaps import DIGITS, NAME
from .probes import Probes


@dataclass(frozen=True, slots=True)
class Frame:
    """What is known of a turn besides its calls: the texts that may stand before them, and those behind."""

    header: str
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()

    def head(self, text: str) -> str:
        """The calls' own part of what stands before them in a turn."""
        header = gaps.longest_start_in(self.header, text)
        return gaps.without_start(text.partition(header)[2] if header else text, self.before)

    def tail(self, *texts: str) -> str:
        """The calls' own part of what stands behind one, or behind two if there is more of it."""
        return max(map(self._tail, texts), key=len)

    def _tail(self, text: str) -> str:
        places = [place for stop in self.behind if (place := text.find(stop)) >= 0]
        return text[: min(places, default=len(text))]


@dataclass(frozen=True, slots=True)
class Texts:
    """Turns with one call, with two, with an answer and a call; the latter two may be absent."""

    asked: Probes
    frame: Frame
    one: str
    two: str | None
    answered: str | None

    def head(self, before: str, answered: str | None) -> str:
        """What stands before a call, also where an answer stands before it. `answered`: that turn, up to the call."""
        head = self.frame.head(before)
        if answered is None or ANSWER not in answered:
            return head
        other = gaps.without_start(answered.partition(ANSWER)[2], self.frame.before)
        return gaps.common_end(head, other) or head


def turns_with_calls(asked: Probes, frame: Frame) -> Texts | None:
    """None if no turn shows a call. Raises TooMuch."""
    one = _turn(asked, 1)
    return None if one is None else Texts(asked, frame, one, _turn(asked, 2), _turn(asked, 1, ANSWER))


def _turn(asked: Probes, count: int, content: str = "") -> str | None:
    turn = asked.turn(content, [asked.both_arguments(number) for number in range(count)])
    made = None if turn is None else gaps.marked(turn)
    return made if made is not None and made.count(NAME) >= count else None


@dataclass(frozen=True, slots=True)
class Framed:
    """The texts around calls: those of each, and those of all. A start keeps the white space at its end.

    The rest is as in `Calls`.
    """

    start: str
    end: str = ""
    section: str = ""
    section_end: tuple[str, ...] = ()
    separator: str = ""
    ends_line: bool = False

    def before_json(self) -> Framed:
        """JSON may have any white space before it."""
        return replace(self, start=self.start.rstrip())


def framed(head: str, between: str | None, tail: str) -> Framed:
    """What of the texts around calls goes with each of them: what also stands between two."""
    ends_line = "\n" in gaps.space_before(tail if between is None else between)
    if between is None:
        end = gaps.first_mark(tail)
        section_end = tuple(tail.partition(end)[2].split()) if end else ()
        return Framed(head.lstrip(), end, section_end=section_end, ends_line=ends_line)
    if DIGITS in gaps.common_end(gaps.numbered(head), gaps.numbered(between)):
        head, between, tail = map(gaps.numbered, (head, between, tail))
    start = gaps.common_end(head, between)
    rest = between[: len(between) - len(start)]
    end = gaps.common_start(rest, tail)
    section = head[: len(head) - len(start)]
    separator, section_end = rest[len(end) :].strip(), tuple(tail[len(end) :].split())
    return Framed(start.lstrip(), end.strip(), section.strip(), section_end, separator, ends_line)
