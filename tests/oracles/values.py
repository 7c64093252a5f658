"""From a region's text to its value: SPEC.md sections 6 (content kinds), 7 (transforms) and 8 (tool typing).

One function a clause group, in the order of the text. Nothing here is shared with the reference: this is the other
opinion that it is compared with. Slow and plain on purpose.
"""

from __future__ import annotations

import copy
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import regex

JSON: TypeAlias = Any
Captures: TypeAlias = Mapping[str, str]

WHITE_SPACE = "".join(  # TEXT-2
    chr(code)
    for first, last in (
        (0x09, 0x0D),
        (0x1C, 0x20),
        (0x85, 0x85),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
    )
    for code in range(first, last + 1)
)
JSON_SPACE = "\t\n\r "
JSON_DEPTH = 512  # CONTENT-3 asks for 100 at least; what lies between is free
CALLS_DEPTH = 100  # KIND-CALLS-4
EXACT = 2**53 - 1  # CONTENT-2

INTEGER = re.compile(r"[+-]?[0-9]+")
FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?")
HEX4 = re.compile(r"[0-9A-Fa-f]{4}")
CALL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
WORD = regex.compile(r"\w+", regex.V0)
PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}", regex.V0)

JSON_CONSTANTS: dict[str, JSON] = {"true": True, "false": False, "null": None}
CALL_CONSTANTS: dict[str, JSON] = {
    **JSON_CONSTANTS,
    "True": True,
    "False": False,
    "None": None,
}
JSON_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
CALL_ESCAPES = {**JSON_ESCAPES, "'": "'"}

# Parsers, copies and comparisons recurse once or twice a level, and texts are nested up to JSON_DEPTH.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * JSON_DEPTH))


class ValueFault(Exception):
    """A text that has no value; `kind` is the slug of SPEC.md section 10."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def strip(text: str) -> str:
    """TEXT-2."""
    return text.strip(WHITE_SPACE)


def is_white(text: str) -> bool:
    """Whether there is nothing else in a text than white space."""
    return all(c in WHITE_SPACE for c in text)


# ---- section 6: content kinds --------------------------------------------------------------------------------------


def content_value(kind: str, args: Mapping[str, JSON], text: str) -> JSON:
    """The value that content kind `kind` makes of a region's text. Raises ValueFault. CONTENT-1."""
    return CONTENT_KINDS[kind](text, args)


def text_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-TEXT-1."""
    return strip(text) if args.get("strip", True) else text


def int_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-INT-1."""
    stripped = strip(text)
    if not INTEGER.fullmatch(stripped):
        raise ValueFault("int-syntax")
    return integer(stripped)


def float_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-FLOAT-1."""
    stripped = strip(text)
    if not FLOAT.fullmatch(stripped):
        raise ValueFault("float-syntax")
    return finite(stripped)


def bool_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-BOOL-1."""
    return ascii_lower(strip(text)) in ("true", "1")


def json_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-JSON-1 to KIND-JSON-7."""
    delims = tuple((first, last) for first, last in args.get("string_delims", []))
    try:
        return JsonReader(text, args.get("unquoted_keys", False), delims).read()
    except ValueFault:
        if args.get("allow_non_json", False):
            return strip(text)
        raise


def xml_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-XML-1 to KIND-XML-5."""
    pattern = regex.compile(args["tag_pattern"], regex.DOTALL | regex.V0)
    found: dict[str, list[JSON]] = {}
    pos = 0
    while pos <= len(text) and (match := pattern.search(text, pos)):
        key, value = match["key"], match["value"]
        if key is None:
            raise ValueFault("tag-without-key")
        found.setdefault(key, []).append(None if value is None else sub_value(args, value))
        pos = match.end() if match.end() > match.start() else match.end() + 1
    if args.get("merge_duplicates", False):
        return {key: values if len(values) > 1 else values[0] for key, values in found.items()}
    return {key: values[-1] for key, values in found.items()}


def kv_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-KV-1 to KIND-KV-3."""
    tidy: Callable[[str], str] = strip if args.get("strip", True) else str
    separator = args.get("kv_sep", ":")
    result: dict[str, JSON] = {}
    for line in text.split(args.get("line_sep", "\n")):
        key, there, value = tidy(line).partition(separator)
        if there:
            result[tidy(key)] = sub_value(args, tidy(value))
    return result


def sub_value(args: Mapping[str, JSON], text: str) -> JSON:
    """KIND-XML-5: what the `value_parser` of `args`, if there is one, makes of a text."""
    parser = args.get("value_parser")
    return text if parser is None else content_value(parser["name"], parser.get("args", {}), text)


def calls_content(text: str, args: Mapping[str, JSON]) -> JSON:
    """KIND-CALLS-1 to KIND-CALLS-5."""
    return CallsReader(text).read()


CONTENT_KINDS: dict[str, Callable[[str, Mapping[str, JSON]], JSON]] = {
    "text": text_content,
    "int": int_content,
    "float": float_content,
    "bool": bool_content,
    "json": json_content,
    "xml-inline": xml_content,
    "kv-lines": kv_content,
    "python-call-list": calls_content,
}


def integer(text: str) -> int:
    """The integer that sign and digits stand for. CONTENT-2 leaves those beyond 2^53 free: here exact up to 4,000
    digits, and an error beyond."""
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > 4000:
        raise ValueFault("number-range")
    return -int(digits) if text.startswith("-") else int(digits)


def finite(text: str) -> float:
    """CONTENT-2: the nearest double, which must be finite."""
    number = float(text)
    if math.isinf(number):
        raise ValueFault("number-range")
    return number


def ascii_lower(text: str) -> str:
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def unicode_escape(text: str, pos: int, fault: str) -> tuple[str, int]:
    r"""The character of the `\u` escape, or pair of them, whose digits begin at `pos`. KIND-JSON-3, KIND-CALLS-3."""
    digits = HEX4.match(text, pos)
    if not digits:
        raise ValueFault(fault)
    code, pos = int(digits[0], 16), digits.end()
    if 0xD800 <= code < 0xE000:
        low = HEX4.match(text, pos + 2) if text.startswith("\\u", pos) else None
        second = int(low[0], 16) if low else 0
        if not low or code >= 0xDC00 or not 0xDC00 <= second < 0xE000:
            raise ValueFault(fault)
        code, pos = 0x10000 + (code - 0xD800) * 0x400 + (second - 0xDC00), low.end()
    return chr(code), pos


@dataclass
class JsonReader:
    """The grammar of RFC 8259 with the two additions of KIND-JSON-4 and KIND-JSON-5."""

    text: str
    unquoted_keys: bool = False
    string_delims: tuple[tuple[str, str], ...] = ()
    pos: int = 0

    def read(self) -> JSON:
        self.space()
        value = self.value(0)
        self.space()
        if self.pos < len(self.text):
            raise ValueFault("json-syntax")
        return value

    def space(self) -> None:
        while self.text[self.pos : self.pos + 1] and self.text[self.pos] in JSON_SPACE:
            self.pos += 1

    def take(self, token: str) -> bool:
        if self.text.startswith(token, self.pos):
            self.pos += len(token)
            return True
        return False

    def need(self, token: str) -> None:
        if not self.take(token):
            raise ValueFault("json-syntax")

    def value(self, depth: int) -> JSON:
        """`depth`: how many lists and objects are around it."""
        string = self.string()
        if string is not None:
            return string
        if self.text.startswith(("{", "["), self.pos):
            if depth >= JSON_DEPTH:
                raise ValueFault("nesting-too-deep")
            return self.members(depth + 1) if self.take("{") else self.elements(depth + 1)
        for name, constant in JSON_CONSTANTS.items():
            if self.take(name):
                return constant
        return self.number()

    def elements(self, depth: int) -> list[JSON]:
        self.need("[")
        result: list[JSON] = []
        self.space()
        if self.take("]"):
            return result
        while True:
            self.space()
            result.append(self.value(depth))
            self.space()
            if self.take("]"):
                return result
            self.need(",")

    def members(self, depth: int) -> dict[str, JSON]:
        result: dict[str, JSON] = {}
        self.space()
        if self.take("}"):
            return result
        while True:
            self.space()
            name = self.name()
            self.space()
            self.need(":")
            self.space()
            result[name] = self.value(depth)  # KIND-JSON-2: the last one counts
            self.space()
            if self.take("}"):
                return result
            self.need(",")

    def name(self) -> str:
        string = self.string()
        if string is not None:
            return string
        word = WORD.match(self.text, self.pos) if self.unquoted_keys else None
        if not word:
            raise ValueFault("json-syntax")
        self.pos = word.end()
        return str(word[0])

    def string(self) -> str | None:
        """The string that stands here, or None if none does."""
        opening = [pair for pair in self.string_delims if self.text.startswith(pair[0], self.pos)]
        if opening:
            first, last = max(opening, key=lambda pair: len(pair[0]))  # the longest; `max` keeps the first of equals
            start = self.pos + len(first)
            end = self.text.find(last, start)
            if end < 0:
                raise ValueFault("json-syntax")
            self.pos = end + len(last)
            return self.text[start:end]
        return self.quoted() if self.take('"') else None

    def quoted(self) -> str:
        result: list[str] = []
        while not self.take('"'):
            c = self.text[self.pos : self.pos + 1]
            self.pos += 1
            if c < " ":  # a control character, or "" at the end
                raise ValueFault("json-syntax")
            result.append(self.escape() if c == "\\" else c)
        return "".join(result)

    def escape(self) -> str:
        if self.take("u"):
            c, self.pos = unicode_escape(self.text, self.pos, "json-syntax")
            return c
        plain = JSON_ESCAPES.get(self.text[self.pos : self.pos + 1])
        if plain is None:
            raise ValueFault("json-syntax")
        self.pos += 1
        return plain

    def number(self) -> JSON:
        match = JSON_NUMBER.match(self.text, self.pos)
        if not match:
            raise ValueFault("json-syntax")
        self.pos = match.end()
        double = finite(match[0])
        return double if match["fraction"] or match["exponent"] else integer(match[0])


@dataclass
class CallsReader:
    """The grammar of KIND-CALLS-1."""

    text: str
    pos: int = 0

    def read(self) -> list[JSON]:
        calls = self.items("[", "]", self.call)
        self.space()
        if self.pos < len(self.text):
            raise ValueFault("calls-syntax")
        return calls

    def space(self) -> None:
        while self.text[self.pos : self.pos + 1] and self.text[self.pos] in JSON_SPACE:
            self.pos += 1

    def take(self, token: str) -> bool:
        self.space()
        if self.text.startswith(token, self.pos):
            self.pos += len(token)
            return True
        return False

    def need(self, token: str) -> None:
        if not self.take(token):
            raise ValueFault("calls-syntax")

    def items(self, first: str, last: str, item: Callable[[], JSON]) -> list[JSON]:
        self.need(first)
        result: list[JSON] = []
        if self.take(last):
            return result
        while True:
            result.append(item())
            if self.take(last):
                return result
            self.need(",")

    def call(self) -> JSON:
        name = self.name()
        return {"name": name, "arguments": unique(self.items("(", ")", self.argument))}

    def argument(self) -> tuple[str, JSON]:
        name = self.name()
        self.need("=")
        return name, self.value(0)

    def name(self) -> str:
        self.space()
        match = CALL_NAME.match(self.text, self.pos)
        if not match:
            raise ValueFault("calls-syntax")
        self.pos = match.end()
        return match[0]

    def value(self, depth: int) -> JSON:
        """`depth`: how many lists and objects of values are around it."""
        self.space()
        c = self.text[self.pos : self.pos + 1]
        if c in ("[", "{"):
            if depth >= CALLS_DEPTH:
                raise ValueFault("nesting-too-deep")
            if c == "[":
                return self.items("[", "]", lambda: self.value(depth + 1))
            return unique(self.items("{", "}", lambda: self.member(depth + 1)))
        if c in ("'", '"'):
            return self.string()
        if CALL_NAME.match(self.text, self.pos):
            return self.constant()
        return self.number()

    def member(self, depth: int) -> tuple[str, JSON]:
        name = self.string()
        self.need(":")
        return name, self.value(depth)

    def constant(self) -> JSON:
        name = self.name()
        if name not in CALL_CONSTANTS:
            raise ValueFault("calls-syntax")
        return CALL_CONSTANTS[name]

    def number(self) -> JSON:
        match = JSON_NUMBER.match(self.text, self.pos)
        if not match:
            raise ValueFault("calls-syntax")
        self.pos = match.end()
        if match["fraction"] or match["exponent"]:
            number = float(match[0])
            if math.isinf(number):
                raise ValueFault("calls-syntax")
            return number
        if len(match[0]) > 20 or abs(int(match[0])) > EXACT:
            raise ValueFault("calls-syntax")
        return int(match[0])

    def string(self) -> str:
        self.space()
        quote = self.text[self.pos : self.pos + 1]
        if quote not in ("'", '"'):
            raise ValueFault("calls-syntax")
        self.pos += 1
        result: list[str] = []
        while True:
            c = self.text[self.pos : self.pos + 1]
            self.pos += 1
            if c == quote:
                return "".join(result)
            if c == "" or c in "\n\r" or "\ud800" <= c <= "\udfff":
                raise ValueFault("calls-syntax")
            result.append(self.escape() if c == "\\" else c)

    def escape(self) -> str:
        c = self.text[self.pos : self.pos + 1]
        self.pos += 1
        if c == "u":
            c, self.pos = unicode_escape(self.text, self.pos, "calls-syntax")
            return c
        if c not in CALL_ESCAPES:
            raise ValueFault("calls-syntax")
        return CALL_ESCAPES[c]


def unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    """KIND-CALLS-2."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueFault("calls-syntax")
    return result


# ---- section 7: transforms -----------------------------------------------------------------------------------------


def transformed(transform: JSON, each: bool, content: JSON, captures: Captures) -> JSON:
    """The value of a region with a transform. Raises ValueFault. TRANSFORM-1, TRANSFORM-3, TRANSFORM-4."""
    if not each:
        return filled(transform, {"content": content, **captures})
    if not isinstance(content, list):
        raise ValueFault("transform-each-not-list")
    result = []
    for element in content:
        if not isinstance(element, dict):
            raise ValueFault("transform-each-not-object")
        result.append(filled(transform, {**captures, **element}))
    return result


def filled(shape: JSON, scope: Mapping[str, JSON]) -> JSON:
    """A copy of `shape` with its placeholders replaced. TRANSFORM-1, TRANSFORM-7."""
    if isinstance(shape, dict):
        return {key: filled(value, scope) for key, value in shape.items()}
    if isinstance(shape, list):
        return [filled(value, scope) for value in shape]
    placeholder = PLACEHOLDER.fullmatch(shape) if isinstance(shape, str) else None
    return looked_up(placeholder[1].split("."), scope) if placeholder else shape


def looked_up(path: list[str], scope: Mapping[str, JSON]) -> JSON:
    """TRANSFORM-3, TRANSFORM-6."""
    value: JSON = scope
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            raise ValueFault("placeholder-unresolved")
        value = value[key]
    return copy.deepcopy(value)


# ---- section 8: tool typing ----------------------------------------------------------------------------------------


def tool_schemas(tools: list[JSON]) -> dict[str, JSON]:
    """Each tool's `parameters.properties` by its name; the last of one name counts. TOOLS-1."""
    result = {}
    for tool in tools:
        function = tool.get("function", tool)
        parameters = function.get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, dict) else None
        result[function["name"]] = properties if isinstance(properties, dict) else {}
    return result


def typed(value: JSON, schemas: Mapping[str, JSON]) -> JSON:
    """A region's value with the arguments of known tools cast. TOOLS-2."""
    if isinstance(value, list):
        return [typed(item, schemas) for item in value]
    if not (isinstance(value, dict) and isinstance(value.get("function"), dict)):
        return value
    function = value["function"]
    name, arguments = function.get("name"), function.get("arguments")
    if not (isinstance(name, str) and name in schemas and isinstance(arguments, dict)):
        return value
    properties = schemas[name]
    cast = {key: typed_argument(arg, properties[key]) if key in properties else arg for key, arg in arguments.items()}
    return {**value, "function": {**function, "arguments": cast}}


def typed_argument(argument: JSON, schema: JSON) -> JSON:
    """TOOLS-2, TOOLS-5, TOOLS-6."""
    types = candidate_types(schema)
    if isinstance(argument, str):
        return cast_text(argument, types)
    if isinstance(argument, list) and "array" not in types:
        return [cast_text(item, types) if isinstance(item, str) else item for item in argument]
    return argument


def candidate_types(schema: JSON) -> list[str]:
    """TOOLS-3."""
    if not isinstance(schema, dict):
        return []
    own = schema.get("type")
    several = own if isinstance(own, list) else [own]
    types = [name for name in several if isinstance(name, str)]
    for keyword in ("anyOf", "oneOf"):
        members = schema.get(keyword, [])
        for member in members if isinstance(members, list) else []:
            types += candidate_types(member)
    return [*types, "null"] if schema.get("nullable") is True else types


def cast_text(text: str, types: list[str]) -> JSON:
    """TOOLS-3: the first cast that succeeds; else the text as it is (TOOLS-5)."""
    for name in types:
        try:
            return CASTS[name](strip(text))
        except (KeyError, ValueFault):
            continue
    return text


def cast_integer(text: str) -> JSON:
    if INTEGER.fullmatch(text):
        return integer(text)
    number = float_content(text, {})
    if not number.is_integer():
        raise ValueFault("int-syntax")
    return int(number)


def cast_number(text: str) -> JSON:
    number = float_content(text, {})
    return integer(text) if INTEGER.fullmatch(text) else number


def cast_boolean(text: str) -> JSON:
    return {"true": True, "1": True, "false": False, "0": False}[ascii_lower(text)]


def cast_null(text: str) -> JSON:
    return {"null": None, "None": None}[text]


def cast_json(text: str, kind: type) -> JSON:
    value = JsonReader(text).read()
    if not isinstance(value, kind):
        raise ValueFault("json-syntax")
    return value


CASTS: dict[str, Callable[[str], JSON]] = {  # TOOLS-4; `string` never succeeds, so it has no entry
    "integer": cast_integer,
    "number": cast_number,
    "boolean": cast_boolean,
    "null": cast_null,
    "object": lambda text: cast_json(text, dict),
    "array": lambda text: cast_json(text, list),
}


# ---- comparison ----------------------------------------------------------------------------------------------------


def same_json(a: JSON, b: JSON) -> bool:
    """Whether two values are equal as JSON: numbers by value, booleans apart from numbers. LEVEL-4."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return bool(a == b)
