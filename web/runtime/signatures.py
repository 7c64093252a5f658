"""WebAssembly modules: what a side module imports, and whether the main module exports it with the same signature.

A wrong signature would otherwise be noticed only when the function is called, in the browser. Reads the sections that
tell of functions and globals, and no code. The format: https://webassembly.github.io/spec/core/binary/modules.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

_MAGIC: Final = b"\0asm\1\0\0\0"
_TYPE, _IMPORT, _FUNCTION, _EXPORT = 1, 2, 3, 7
_FUNC, _TABLE, _MEMORY, _GLOBAL, _TAG = range(5)
_NAMES: Final = {0x7F: "i32", 0x7E: "i64", 0x7D: "f32", 0x7C: "f64", 0x7B: "v128", 0x70: "funcref", 0x6F: "externref"}
# What the dynamic linker brings itself: memory, the table of functions, and where in them the side module lies.
_OF_THE_LINKER: Final = frozenset(
    ["memory", "__indirect_function_table", "__memory_base", "__table_base", "__stack_pointer"]
)

Signature = str
Item = TypeVar("Item")


class NotReadable(Exception):
    """Bytes that aren't a WebAssembly module, or use what this reader doesn't know."""


@dataclass(slots=True)
class Module:
    """The functions and other things that a module imports, as (module, name), and its exports by their names."""

    functions: dict[tuple[str, str], Signature] = field(default_factory=dict)
    others: set[tuple[str, str]] = field(default_factory=set)
    exports: dict[str, Signature | None] = field(default_factory=dict)


def problems(side: bytes, main: bytes) -> Iterator[str]:
    """What keeps a side module from running with a main module: a line for each. Raises NotReadable."""
    wanted = read(side)
    found = wanted.exports | read(main).exports  # a module may import what it exports itself
    for (_, name), signature in sorted(wanted.functions.items()):
        if name not in found:
            yield f"{name} {signature} isn't in Pyodide"
        elif found[name] != signature:
            yield f"{name} is {signature} here and {found[name]} in Pyodide"
    for _, name in sorted(wanted.others):
        if name not in found and name not in _OF_THE_LINKER:
            yield f"{name} isn't in Pyodide"


def read(data: bytes) -> Module:
    """Raises NotReadable."""
    if not data.startswith(_MAGIC):
        raise NotReadable("this isn't a WebAssembly module")
    reader = _Reader(data, len(_MAGIC))
    module = Module()
    types: list[Signature] = []
    functions: list[Signature] = []  # by index: the imported ones, then its own
    while reader.pos < len(data):
        section, size = reader.byte(), reader.number()
        end = reader.pos + size
        if end > len(data):
            raise NotReadable("this WebAssembly module is cut off")
        if section == _TYPE:
            types = reader.vector(reader.signature)
        elif section == _IMPORT:
            for source, name, kind, index in reader.vector(reader.imported):
                if kind == _FUNC:
                    functions.append(types[index])
                    module.functions[source, name] = types[index]
                else:
                    module.others.add((source, name))
        elif section == _FUNCTION:
            functions += [types[index] for index in reader.vector(reader.number)]
        elif section == _EXPORT:
            exported = reader.vector(reader.exported)
            module.exports = {name: functions[index] if kind == _FUNC else None for name, kind, index in exported}
        reader.pos = end
    return module


class _Reader:
    def __init__(self, data: bytes, pos: int) -> None:
        self.data = data
        self.pos = pos

    def byte(self) -> int:
        if self.pos >= len(self.data):
            raise NotReadable("this WebAssembly module is cut off")
        self.pos += 1
        return self.data[self.pos - 1]

    def number(self) -> int:
        """LEB128, without sign."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def vector(self, item: Callable[[], Item]) -> list[Item]:
        return [item() for _ in range(self.number())]

    def name(self) -> str:
        size = self.number()
        self.pos += size
        return self.data[self.pos - size : self.pos].decode("utf-8", "replace")

    def signature(self) -> Signature:
        if self.byte() != 0x60:
            raise NotReadable("this WebAssembly module has types other than functions'")
        parameters, results = self.vector(self.value_type), self.vector(self.value_type)
        return f"({', '.join(parameters)}) -> ({', '.join(results)})"

    def value_type(self) -> str:
        byte = self.byte()
        return _NAMES.get(byte, hex(byte))

    def imported(self) -> tuple[str, str, int, int]:
        """Module, name, kind, and for a function the index of its type."""
        source, name, kind = self.name(), self.name(), self.byte()
        index = 0
        if kind == _FUNC:
            index = self.number()
        elif kind == _TABLE:
            self.byte()
            self.limits()
        elif kind == _MEMORY:
            self.limits()
        elif kind == _GLOBAL:
            self.pos += 2
        elif kind == _TAG:
            self.byte()
            self.number()
        else:
            raise NotReadable(f"this WebAssembly module imports things of kind {kind}")
        return source, name, kind, index

    def limits(self) -> None:
        has_maximum = self.byte() & 1
        self.number()
        if has_maximum:
            self.number()

    def exported(self) -> tuple[str, int, int]:
        return self.name(), self.byte(), self.number()
