"""Which keys of a message a chat template reads, told from its text alone."""

from __future__ import annotations

from collections.abc import Iterator

import jinja2
from jinja2 import nodes

from antiphon_portability.chat.environments import environment


def keys_read(chat_template: str) -> frozenset[str]:
    """The names that a chat template looks up: `message.key`, `message['key']`, `.get('key')`, `'key' in message`."""
    try:
        tree = environment().parse(chat_template)
    except (jinja2.TemplateError, RecursionError):
        return frozenset()
    return frozenset(_keys(tree))


def _keys(tree: nodes.Template) -> Iterator[str]:
    targets = [loop.target for loop in tree.find_all(nodes.For) if _is_over_content(loop)]
    parts = {target.name for target in targets if isinstance(target, nodes.Name)}

    def is_part(node: nodes.Node) -> bool:
        return isinstance(node, nodes.Name) and node.name in parts

    for attribute in tree.find_all(nodes.Getattr):
        if not is_part(attribute.node):
            yield attribute.attr
    for item in tree.find_all(nodes.Getitem):
        if not is_part(item.node):
            yield from _constants(item.arg)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "get" and not is_part(call.node.node):
            for argument in call.args[:1]:
                yield from _constants(argument)
    for compare in tree.find_all(nodes.Compare):
        if not any(is_part(operand.expr) for operand in compare.ops):
            yield from _constants(compare.expr)


def _is_over_content(loop: nodes.For) -> bool:
    """Whether it goes through a message's content, the parts of which have keys of their own."""
    over = loop.iter
    name = over.attr if isinstance(over, nodes.Getattr) else over.name if isinstance(over, nodes.Name) else ""
    if isinstance(over, nodes.Getitem):
        name = next(_constants(over.arg), "")
    return name == "content"


def _constants(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
