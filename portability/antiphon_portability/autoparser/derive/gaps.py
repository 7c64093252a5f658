"""Texts between needles, with a placeholder where what stands there varies: an argument's name, an index, an id.

They are compared by words and markers, so that no marker is cut in two.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from .probes import IDS, KEYS, NAMES, STOP, VALUES

NAME: Final = "\ue000"
ID: Final = "\ue001"
KEY: Final = "\ue002"
VALUE: Final = "\ue003"
DIGITS: Final = "\ue004"
WORD: Final = "\ue005"
OTHER_KEY: Final = "\ue006"

_NEEDLES: Final = {
    **dict.fromkeys(NAMES, NAME),
    **dict.fromkeys(IDS, ID),
    KEYS[0]: KEY,
    KEYS[1]: OTHER_KEY,
    **dict.fromkeys(VALUES, VALUE),
}
_NEEDLE: Final = re.compile("|".join(map(re.escape, _NEEDLES)))
_TOKEN: Final = re.compile(r"<<[^<>\s]*>>|\[\[/?[\w ]+\]\]|<[^<>\s]*>|\[/?[\w ]+\]|\s+|\w+|.", re.DOTALL)
_MARKUP: Final = re.compile(r"[<\[{][^\s<>\[\]{}]")
_DIGITS: Final = re.compile(r"\d+")


def marked(text: str) -> str:
    """A text with placeholders for its needles."""
    return _NEEDLE.sub(lambda found: _NEEDLES[found[0]], text)


def tokens(text: str) -> list[str]:
    """A text, taken apart into markers, white space, words and single other characters."""
    return _TOKEN.findall(text)


def is_marker(token: str) -> bool:
    """Whether a token is a marker by itself, such as `<tool_call>`, `[ARGS]` or `<<END>>`."""
    return len(token) > 2 and token[0] in "<[" and token[-1] in ">]"


def common_start(*texts: str) -> str:
    """The words and markers that all texts begin with."""
    found: list[str] = []
    for column in zip(*map(tokens, texts), strict=False):
        if len(set(column)) > 1:
            break
        found.append(column[0])
    return "".join(found)


def common_end(*texts: str) -> str:
    """The words and markers that all texts end with."""
    found: list[str] = []
    for column in zip(*(reversed(tokens(text)) for text in texts), strict=False):
        if len(set(column)) > 1:
            break
        found.append(column[0])
    return "".join(reversed(found))


def numbered(text: str) -> str:
    """A text with a placeholder for each number."""
    return _DIGITS.sub(DIGITS, text)


def generalised(texts: Sequence[str]) -> str:
    """One text for several that differ in a number or in a word, with a placeholder there; else the first of them."""
    first = texts[0]
    if all(text == first for text in texts):
        return first
    without_numbers = set(map(numbered, texts))
    if len(without_numbers) == 1:
        return without_numbers.pop()
    taken = [tokens(text) for text in texts]
    if len({len(one) for one in taken}) == 1:
        columns = [set(column) for column in zip(*taken, strict=True)]
        if all(len(column) == 1 or all(token.isalnum() for token in column) for column in columns):
            return "".join(column.pop() if len(column) == 1 else WORD for column in columns)
    return first


def without_start(text: str, parts: Sequence[str]) -> str:
    """A text without white space and any of the parts at its beginning, as often as they stand there as whole words."""
    while True:
        text = text.lstrip()
        part = next((part for part in parts if part and _begins_with(text, part)), None)
        if part is None:
            return text
        text = text[len(part) :]


def _begins_with(text: str, part: str) -> bool:
    return text.startswith(part) and (is_markup(part) or not text[len(part) : len(part) + 1].isalnum())


def first_mark(text: str) -> str:
    """The first marker of a text; all that stands before white space, where there is none."""
    found = next((token for token in tokens(text) if is_marker(token)), "")
    return found or (text.split() or [""])[0]


def has_mark(text: str) -> bool:
    """Whether a marker stands in it."""
    return STOP in text or any(map(is_marker, tokens(text)))


def further_marks(text: str, stops: Sequence[str]) -> list[str]:
    """The markers behind the first, with nothing but white space between them, up to one of those that stop them."""
    pieces = [piece for piece in tokens(text) if not piece.isspace()]
    first = next((index for index, piece in enumerate(pieces) if is_marker(piece)), len(pieces))
    return list(itertools.takewhile(lambda piece: is_marker(piece) and piece not in stops, pieces[first + 1 :]))


def is_markup(text: str) -> bool:
    """Whether a word stands in it that a bracket begins, as no word of a sentence is begun, such as `<call name=`."""
    return _MARKUP.search(text) is not None and has_word(text)


def has_word(text: str) -> bool:
    """Whether a letter or a digit stands in it, placeholders aside."""
    return any(map(str.isalnum, text))


def space_before(text: str) -> str:
    """The white space that a text begins with."""
    return text[: len(text) - len(text.lstrip())]


def mirrored(mark: str) -> str:
    """The closing marker for an opening one."""
    name = mark.lstrip("<[")
    return f"{mark.removesuffix(name)}/{name}"


def longest_start_in(start: str, text: str) -> str:
    """As much of the first text, from its beginning, as stands anywhere in the second; white space before it aside."""
    pieces = tokens(start.lstrip())
    least, most = 0, len(pieces)
    while least < most:
        count = (least + most + 1) // 2
        least, most = (count, most) if "".join(pieces[:count]) in text else (least, count - 1)
    return "".join(pieces[:least])
