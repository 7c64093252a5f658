"""What no engine need see: loops that never go round, lookarounds that are decided, groups that nobody can look at."""

from __future__ import annotations

from collections import Counter

from ..analysis import captures, children, references, walk, with_children
from ..nodes import EMPTY, Backreference, Capture, Conditional, Look, Marked, Marker, Never, Node, Repeat
from .work import Work


def simplified(node: Node) -> Node:
    """`node` without what stands in a loop that never goes round, or in a lookaround that is decided."""
    if isinstance(node, Repeat) and node.most == 0:
        return EMPTY
    node = with_children(node, tuple(map(simplified, children(node))))
    match node:
        case Look(body, negated=negated) if body in (EMPTY, Never()):
            return EMPTY if (body == EMPTY) != negated else Never()
    return node


def without_absent_groups(root: Node) -> Node:
    """`root` without references to groups that stand nowhere in it: the rewrite drops groups that can't be set."""
    present = {group.number for group in captures(root)}

    def resolved(node: Node) -> Node:
        match node:
            case Backreference(number) if number not in present:
                return Never()
            case Conditional(number, _, no) if number not in present:
                return resolved(no)
        return with_children(node, tuple(map(resolved, children(node))))

    found = resolved(root) if references(root) - present else root
    return found if found == root else without_absent_groups(found)


def without_lost_groups(root: Node, work: Work) -> Node:
    """`root` without groups that nobody sees: outside of a negative lookaround, what it captured isn't set.

    What is referred to within, and stands nowhere else, gets a number of its own: engines that let such groups leak
    can't, then.
    """
    if not any(isinstance(node, Look) and node.negated for node in walk(root)):
        return root
    return _LostGroups(root, work).without(root, {}, denied=False)


class _LostGroups:
    def __init__(self, root: Node, work: Work) -> None:
        self.asked = {number for node in walk(root) if isinstance(node, Marked) for number in node.numbers}
        self.standing = Counter(group.number for group in captures(root))
        self.numbers = work.numbers

    def without(self, node: Node, new: dict[int, int | None], denied: bool) -> Node:
        """`node`; `new` are the numbers that lost groups get, or None. `denied`: in a negative lookaround."""
        match node:
            case Look(body, ahead, True):
                return Look(self.without(body, new | self.renumbered(body, new), denied=True), ahead, True)
            case Capture(body, number) if number in new:
                body, renumbered = self.without(body, new, denied), new[number]
                return body if renumbered is None else Capture(body, renumbered)
            case Backreference(number, ignore_case):
                return Backreference(new.get(number) or number, ignore_case)
            case Conditional(number, yes, no):
                yes, no = self.without(yes, new, denied), self.without(no, new, denied)
                return Conditional(new.get(number) or number, yes, no)
            case Marker(number) if denied and number not in self.asked:
                return EMPTY
        return with_children(node, tuple(self.without(child, new, denied) for child in children(node)))

    def renumbered(self, body: Node, known: dict[int, int | None]) -> dict[int, int | None]:
        """What becomes of the groups in `body`: None for those that nothing in it refers to."""
        referred = references(body)
        return {
            number: next(self.numbers) if number in referred else None
            for number, times in Counter(group.number for group in captures(body)).items()
            if number not in known and (number not in referred or times == self.standing[number])
        }
