"""Response templates: loading, with every check that can be made without a text (SPEC.md, section 1).

`load_template` is the way in. What it returns is complete: parsing never looks at the document again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import count
from typing import Any, Final, TypeVar

from antiphon_portability.regex import EngineError, PatternError, parse

from antiphon import proposed
from antiphon.content import KINDS, ContentKind, Json, PythonCallList, find_all
from antiphon.delimiter import Delimiter, literals_tree
from antiphon.engine import Matcher, compile_plain
from antiphon.errors import TemplateError
from antiphon.pointer import pointer
from antiphon.strings import StringSyntax
from antiphon.transform import Transform, placeholders, read_placeholder, strings, type_name

MAX_DEPTH: Final = 100  # levels of objects and lists in a template (LOAD-1, too-deep)
MAX_VALUES: Final = 1_000_000  # all values of a template; a document whose parts are shared may have any number

_FIELD_KEYS: Final = frozenset(
    {
        "open", "open_pattern", "close", "close_pattern", "content", "content_args",
        "repeats", "join", "optional", "transform", "transform_each",
    }
)  # fmt: skip

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Field:
    """A key of the message, and how it is recognised (TEMPLATE-3)."""

    name: str
    open: Delimiter | None
    close: Delimiter | None
    content: ContentKind
    repeats: bool
    join: str | None
    optional: bool
    transform: Transform | None
    value_depends_on_close: bool  # whether the value can't be known before the captures of the close are
    outside_strings: StringSyntax | None = None  # of the strings inside which its close doesn't count (a proposal)
    skip_blank: bool = False  # whether regions of white space leave no trace (a proposal)


@dataclass(frozen=True, slots=True)
class Template:
    """A response template, ready for use. It never changes, and may be shared by any number of parsers."""

    defaults: Mapping[str, Any]
    fields: Mapping[str, Field]
    implicit: Field | None
    anchor: Matcher

    def head(self, prefix: str) -> str:
        """What remains of a prefix behind the last match of the anchor; all of it if there is none (ANCHOR-2)."""
        end = 0
        for found in find_all(self.anchor, prefix):
            end = found.end
        return prefix[end:]

    def has_anchor(self, prefix: str) -> bool:
        """Whether the anchor matches in a prefix. Where it should and doesn't, the whole prompt is parsed."""
        return self.anchor.search(prefix, 0) is not None


def load_template(document: Mapping[str, Any], *, proposals: Collection[str] = ()) -> Template:
    """The template of a JSON document.

    Args:
        document: the template as JSON values.
        proposals: names of proposals (annex B) whose keys the template may have besides those of section 1.

    Raises:
        TemplateError: the document is no template; with kind and JSON Pointer (LOAD-1).
        ParserStateError: there is no such proposal.
    """
    asked = proposed.checked(proposals)
    place = _Place(_json_value(document, _Place(None, ()), count(1)), ())
    members = place.members(
        {"version", "defaults", "start_anchor", "start_anchor_pattern", "fields"}, required=("fields",)
    )
    _check_version(members)
    anchor = _read_anchor(place, members)
    fields_place = members["fields"]
    if not fields_place.typed(dict, "an object"):
        raise fields_place.error("empty-value", "there are no fields; name at least one key of the message")
    fields: dict[str, Field] = {}
    implicit: Field | None = None
    for name in fields_place.value:
        field = _read_field(name, fields_place.at(name), asked)
        fields[name] = field
        if field.open is None:
            if implicit is not None:
                reason = f"{implicit.name!r} has no open either; only one field may take the text that no other takes"
                raise fields_place.at(name).error("several-implicit-fields", reason)
            implicit = field
    defaults = _read_defaults(members.get("defaults"), fields)
    return Template(defaults, fields, implicit, anchor)


def template_faults(document: Any, *, proposals: Collection[str] = ()) -> tuple[TemplateError, ...]:
    """What is wrong with a document: the first fault of its top level, and of each field; nothing if it loads."""
    found: dict[str, TemplateError] = {}
    fields = document.get("fields") if isinstance(document, Mapping) else None
    parts: list[Any] = [document]
    if isinstance(fields, Mapping) and fields:
        parts.append({**document, "fields": {name: {"open": "x"} for name in fields}})
        parts += [{"start_anchor": "x", "fields": {name: field}} for name, field in fields.items()]
    for part in parts:
        try:
            load_template(part, proposals=proposals)
        except TemplateError as error:
            found.setdefault(error.pointer, error)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Place:
    """A value in the document and the keys that lead to it."""

    value: Any
    path: tuple[str | int, ...]

    def at(self, key: str | int) -> _Place:
        return _Place(self.value[key], (*self.path, key))

    def error(self, kind: str, reason: str) -> TemplateError:
        return TemplateError(kind, pointer(*self.path), reason)

    def typed(self, type_: type[T], name: str) -> T:
        """The value, if it is of the type; a boolean is no number (LOAD-2)."""
        if not isinstance(self.value, type_):
            raise self.error("wrong-type", f"this must be {name}, not {type_name(self.value)}")
        return self.value

    def members(self, allowed: Collection[str], required: tuple[str, ...] = ()) -> dict[str, _Place]:
        """The members of an object that has no other keys than the allowed ones and all the required ones."""
        members = self.typed(dict, "an object")
        for key in members:
            if key not in allowed:
                raise self.at(key).error("unknown-key", f"there is no such key; {_suggestion(key, allowed)}")
        for key in required:
            if key not in members:
                raise self.error("missing-key", f"the key {key!r} is missing")
        return {key: self.at(key) for key in members}


def _json_value(value: Any, place: _Place, counter: Iterator[int]) -> Any:
    """A copy of the document, made of JSON values only."""
    if next(counter) > MAX_VALUES:
        raise place.error("too-deep", f"more than {MAX_VALUES} values; does the document repeat a part of itself?")
    if len(place.path) == MAX_DEPTH and isinstance(value, Mapping | list | tuple):
        raise place.error("too-deep", f"more than {MAX_DEPTH} levels of objects and lists")
    if isinstance(value, Mapping):
        copied = {}
        for key, member in value.items():
            there = _Place(None, (*place.path, key if isinstance(key, str) else repr(key)))
            if not isinstance(key, str):
                raise there.error("not-json", f"keys are strings, not {type_name(key)}")
            copied[str(key)] = _json_value(member, there, counter)
        return copied
    if isinstance(value, list | tuple):
        return [_json_value(v, _Place(None, (*place.path, index)), counter) for index, v in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise place.error("not-json", "a number must be finite")
    if value is not None and not isinstance(value, str | bool | int | float):
        raise place.error("not-json", f"JSON has no {type(value).__name__}; write a string, number, list or object")
    return value


def _check_version(members: Mapping[str, _Place]) -> None:
    if "version" in members:
        place = members["version"]
        if isinstance(place.value, bool) or not isinstance(place.value, int | float):
            raise place.error("wrong-type", f"this must be the number 1, not {type_name(place.value)}")
        if place.value != 1:
            raise place.error("unsupported-version", "this version is unknown; write 1")


def _read_anchor(place: _Place, members: Mapping[str, _Place]) -> Matcher:
    _exclude(members, "start_anchor", "start_anchor_pattern")
    if "start_anchor" in members:
        return Matcher(literals_tree(_read_literals(members["start_anchor"])))
    if "start_anchor_pattern" in members:
        return _read_pattern(members["start_anchor_pattern"], compile_plain)
    raise place.error("missing-key", "there is neither 'start_anchor' nor 'start_anchor_pattern'; write one of them")


def _read_field(name: str, place: _Place, proposals: frozenset[str]) -> Field:
    members = _field_members(place, proposals)
    open_ = _read_delimiter(members, "open")
    close = _read_delimiter(members, "close")
    repeats = _read_boolean(members, "repeats", default=False)
    if "join" in members:
        members["join"].typed(str, "a string")
        if not repeats:
            raise members["join"].error("join-without-repeats", "join needs 'repeats': true beside it")
    content = _read_content(members.get("content"), members.get("content_args"), place)
    close_groups = close.groups if close else frozenset()
    groups = (open_.groups if open_ else frozenset()) | close_groups
    transform = _read_transform(members, content, groups)
    return Field(
        name=name,
        open=open_,
        close=close,
        content=content,
        repeats=repeats,
        join=members["join"].value if "join" in members else None,
        optional=_read_boolean(members, "optional", default=True),
        transform=transform,
        value_depends_on_close=transform is not None and transform.depends_on(close_groups),
        outside_strings=_read_outside_strings(members, content),
        skip_blank=_read_boolean(members, "skip_blank", default=False),
    )


def _field_members(place: _Place, proposals: frozenset[str]) -> dict[str, _Place]:
    for key, proposal in proposed.FIELD_KEYS.items():
        if key in place.typed(dict, "an object") and proposal not in proposals:
            raise place.at(key).error("unknown-key", proposed.how_to_ask(key))
    return place.members(_FIELD_KEYS | {key for key, proposal in proposed.FIELD_KEYS.items() if proposal in proposals})


def _read_outside_strings(members: Mapping[str, _Place], content: ContentKind) -> StringSyntax | None:
    """The strings that a field's close must stand outside of, if it must (OUTSIDE-1)."""
    key = "close_outside_strings"
    if not _read_boolean(members, key, default=False):
        return None
    syntax = _string_syntax(content)
    if not members.keys() & {"open", "open_pattern"}:
        reason = "the implicit field can't have it, since opens count in its text too; give the field an open"
    elif not members.keys() & {"close", "close_pattern"}:
        reason = "there is no close that could count; give the field one, or leave this out"
    elif syntax is None:
        reason = "only the kinds json and python-call-list have strings that can be told from other text; leave it out"
    else:
        return syntax
    raise members[key].error("outside-strings-misplaced", reason)


def _string_syntax(content: ContentKind) -> StringSyntax | None:
    if isinstance(content, Json):
        return StringSyntax('"', content.string_delims)
    return StringSyntax("'\"") if isinstance(content, PythonCallList) else None


def _read_boolean(members: Mapping[str, _Place], key: str, *, default: bool) -> bool:
    return members[key].typed(bool, "true or false") if key in members else default


def _read_delimiter(members: Mapping[str, _Place], key: str) -> Delimiter | None:
    pattern_key = key + "_pattern"
    _exclude(members, key, pattern_key)
    if key in members:
        return Delimiter.of_literals(_read_literals(members[key]))
    if pattern_key not in members:
        return None
    place = members[pattern_key]
    delimiter = _read_pattern(place, Delimiter.of_pattern)
    if "content" in delimiter.groups:
        raise place.error("reserved-group", "'content' is the region's own value; call the group something else")
    if delimiter.groups and "transform" not in members:
        reason = f"without a transform the captures are lost; add one that uses {_listed(sorted(delimiter.groups))}"
        raise place.error("captures-without-transform", f"{reason}, or write (?:…) instead of the group")
    return delimiter


def _exclude(members: Mapping[str, _Place], key: str, other: str) -> None:
    if key in members and other in members:
        raise members[other].error("conflicting-keys", f"{key!r} is there too; only one of the two can count")


def _read_literals(place: _Place) -> list[str]:
    if isinstance(place.value, str):
        literals = [place]
    else:
        literals = [place.at(index) for index, _ in enumerate(place.typed(list, "a string or a list of strings"))]
    if not literals:
        raise place.error("empty-value", "the list is empty; name at least one literal")
    return [_read_nonempty(literal) for literal in literals]


def _read_nonempty(place: _Place) -> str:
    string = place.typed(str, "a string")
    if not string:
        raise place.error("empty-value", "the empty string stands everywhere; write what the model writes")
    return string


def _read_pattern(place: _Place, read: Callable[[str], T]) -> T:
    """What `read` makes of the pattern, with its errors told as those of the template."""
    source = _read_nonempty(place)
    try:
        return read(source)
    except PatternError as error:
        raise place.error(f"pattern-{error.kind}", _pattern_reason(error)) from None
    except EngineError as error:
        raise place.error("pattern-unavailable", f"the regex engine at hand can't do this: {error}") from None


def _pattern_reason(error: PatternError) -> str:
    remedy = f"; {error.remedy}" if error.remedy else ""
    return f"{error.reason} at code point {error.position} of the pattern{remedy}"


def _read_content(name: _Place | None, arguments: _Place | None, parent: _Place) -> ContentKind:
    kind = "text" if name is None else name.typed(str, "a string")
    if kind not in KINDS:
        assert name is not None  # text exists
        raise name.error("unknown-content", f"there is no kind {kind!r}; {_suggestion(kind, KINDS)}")
    readers = _ARGUMENTS.get(kind, {})
    required = _REQUIRED.get(kind, ())
    if arguments is None:
        for key in required:
            raise parent.error("missing-key", f"content kind {kind!r} needs the argument {key!r}")
        return KINDS[kind]()
    members = arguments.members(set(readers), required)
    return KINDS[kind](**{key: readers[key](place) for key, place in members.items()})


def _read_flag(place: _Place) -> bool:
    return place.typed(bool, "true or false")


def _read_string_delims(place: _Place) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for index, _ in enumerate(place.typed(list, "a list of pairs [open, close]")):
        pair = place.at(index)
        if len(pair.typed(list, "a pair [open, close]")) != 2:
            raise pair.error("wrong-type", "this must be a pair [open, close]")
        pairs.append((_read_nonempty(pair.at(0)), _read_nonempty(pair.at(1))))
    return tuple(pairs)


def _read_tag_pattern(place: _Place) -> Matcher:
    groups = set(_read_pattern(place, parse).names)
    for group in ("key", "value"):
        if group not in groups:
            raise place.error("missing-group", f"the pattern needs a group (?P<{group}>…)")
    return _read_pattern(place, compile_plain)


def _read_value_parser(place: _Place) -> ContentKind:
    members = place.members({"name", "args"}, required=("name",))
    return _read_content(members["name"], members.get("args"), place)


_ARGUMENTS: Final[dict[str, dict[str, Callable[[_Place], Any]]]] = {
    "text": {"strip": _read_flag},
    "json": {"unquoted_keys": _read_flag, "string_delims": _read_string_delims, "allow_non_json": _read_flag},
    "xml-inline": {
        "tag_pattern": _read_tag_pattern,
        "value_parser": _read_value_parser,
        "merge_duplicates": _read_flag,
    },
    "kv-lines": {
        "line_sep": _read_nonempty,
        "kv_sep": _read_nonempty,
        "strip": _read_flag,
        "value_parser": _read_value_parser,
    },
}
_REQUIRED: Final[dict[str, tuple[str, ...]]] = {"xml-inline": ("tag_pattern",)}


def _read_transform(members: Mapping[str, _Place], content: ContentKind, groups: frozenset[str]) -> Transform | None:
    each = _read_boolean(members, "transform_each", default=False)
    if "transform" not in members:
        if each:
            reason = "there is no 'transform' to apply to each element; add one or leave this out"
            raise members["transform_each"].error("transform-each-without-transform", reason)
        return None
    place = members["transform"]
    if not isinstance(place.value, dict | list | str):
        raise place.error("wrong-type", f"a transform is an object, a list or a string, not {type_name(place.value)}")
    for string, keys in strings(place.value):
        try:
            read_placeholder(string)
        except ValueError:
            reason = "text and a placeholder can't be mixed; a placeholder is the whole string"
            raise _Place(string, (*place.path, *keys)).error("placeholder-mixed", reason) from None
    if not each:
        for path, keys in placeholders(place.value):
            _check_placeholder(path, _Place(path, (*place.path, *keys)), content, groups)
    return Transform(place.value, each)


def _check_placeholder(path: tuple[str, ...], place: _Place, content: ContentKind, groups: frozenset[str]) -> None:
    name, *keys = path
    if name != "content" and name not in groups:
        known = _listed(["content", *sorted(groups)])
        raise place.error("placeholder-undefined", f"there is no {name!r}; the names are {known}")
    if keys and name != "content":
        raise place.error("placeholder-undefined", f"{name!r} is captured text and has no members; write {{{name}}}")
    if keys and not content.may_be_object:
        raise place.error("placeholder-undefined", "content of this kind has no members; write {content}")


def _read_defaults(place: _Place | None, fields: Mapping[str, Field]) -> Mapping[str, Any]:
    defaults: dict[str, Any] = {} if place is None else place.typed(dict, "an object")
    for name, value in defaults.items():
        field = fields.get(name)
        if field is not None and field.repeats:
            wanted, description = (list, "a list") if field.join is None else (str, "a string")
            if not isinstance(value, wanted):
                reason = f"values are added to it, so this must be {description}, not {type_name(value)}"
                raise _Place(value, ("defaults", name)).error("default-type", reason)
    return defaults


def _suggestion(name: str, known: Collection[str]) -> str:
    """What to write instead of a name that isn't known."""
    near = get_close_matches(name, known, n=1)
    if near:
        return f"write {near[0]!r}"
    return f"write one of {_listed(sorted(known))}" if known else "nothing can be set here"


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names))
