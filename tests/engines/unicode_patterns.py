"""Random patterns over what engines differ in: classes, boundaries and case beyond ASCII, astral sets, odd groups."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

_CHARACTERS = (*"ékKſsİiıß😀𐐀٣²½a-", "\u0301", "\u200d", "\xa0")
_CLASSES = (
    *(r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", "[[:alpha:]]", r"\p{L}", r"\p{Lu}", r"\P{L}", r"\p{Greek}", r"\h"),
    *("[^é]", "[😀-😂]", "[^😀]", "[a-z😀]", r"[\w-]", r"[^\w\s]", r"[\d_]", r"[\x80-\xff]", r"[\W\d]"),
    *(".", "(?-s:.)", r"\R", r"[^\d\n]", r"[\u2000-\u2fff]", r"[\U00010000-\U0010ffff]", r"[k-s]", "[^k]"),
)
_PLACES = (r"\b", r"\B", r"\m", r"\M", "^", "$", r"\Z", "(?m:^)", "(?m:$)")
_QUANTIFIERS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{,2}", "{1,3}?", "{,1}", "*+", "++")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")


class UnicodeMaker:
    """Makes patterns; deterministic for a given `Random`."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0

    def pattern(self) -> str:
        self.names = 0
        flag = self.random.choice(("", "", "", "(?i)", "(?a)", "(?ai)"))
        return flag + self.options(0)

    def options(self, depth: int) -> str:
        return "|".join(self.sequence(depth) for _ in range(self.random.choice((1, 1, 1, 2, 3))))

    def sequence(self, depth: int) -> str:
        return "".join(self.item(depth) for _ in range(self.random.choice((1, 2, 2, 3))))

    def item(self, depth: int) -> str:
        kinds: list[Callable[[int], str]] = [self.character, self.character, self.a_class, self.a_class, self.place]
        if depth < 2:
            kinds += [self.group, self.repeated_name, self.look, self.loop]
        text = self.random.choice(kinds)(depth)
        if text not in _PLACES and self.random.random() < 0.4:
            text = f"(?:{text})" if len(text) > 2 and text[0] not in "([" else text
            text += self.random.choice(_QUANTIFIERS)
        return text

    def character(self, depth: int) -> str:
        text = self.random.choice(_CHARACTERS)
        return f"(?i:{text})" if self.random.random() < 0.2 else text

    def a_class(self, depth: int) -> str:
        return self.random.choice(_CLASSES)

    def place(self, depth: int) -> str:
        return self.random.choice(_PLACES)

    def group(self, depth: int) -> str:
        self.names += 1
        return f"(?P<n{self.names}>{self.options(depth + 1)})"

    def repeated_name(self, depth: int) -> str:
        return f"(?:(?P<twice>{self.sequence(depth + 1)})|(?P<twice>{self.sequence(depth + 1)}))"

    def look(self, depth: int) -> str:
        return self.random.choice(_LOOKS) + self.options(depth + 1) + ")"

    def loop(self, depth: int) -> str:
        """A loop over what may be empty."""
        return f"(?:{self.sequence(depth + 1)}|{self.sequence(depth + 1)}?|)" + self.random.choice(
            ("*", "+", "*?", "+?")
        )
