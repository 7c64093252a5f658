"""A package as it stands when a run begins, held in memory: mutants are made of it, and it is imported from there."""

from __future__ import annotations

import hashlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType

from mutation.mutants import Mutant

_ITSELF = "__init__"


@dataclass(frozen=True)
class Package:
    """A package without packages in it; later changes of its files don't count.

    Attributes:
        name: as it is imported.
        sources: the texts of its modules by their names, `__init__` for that of the package itself.
    """

    name: str
    sources: dict[str, str] = field(hash=False)

    @classmethod
    def read(cls, name: str) -> Package:
        """The package of that name as it is installed."""
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        files = sorted(Path(spec.origin).parent.glob("*.py"))
        return cls(name, {file.stem: file.read_text("utf-8") for file in files})

    @cached_property
    def digest(self) -> str:
        """What changes if one of its modules does."""
        return hashlib.sha256(repr(self.sources).encode()).hexdigest()[:16]

    @cached_property
    def codes(self) -> dict[str, CodeType]:
        """The modules, compiled."""
        return {module: compile(source, f"<{module}>", "exec") for module, source in self.sources.items()}

    def install(self, mutant: Mutant | None) -> None:
        """Let imports of the package begin anew, with a mutant in place of its module."""
        for name in [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]:
            del sys.modules[name]
        codes = dict(self.codes)
        if mutant is not None:
            codes[mutant.module] = compile(mutant.source, f"<{mutant.module}>", "exec")
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
        sys.meta_path.insert(0, _Finder(self.name, codes))
        importlib.import_module(self.name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules of a package."""

    def __init__(self, package: str, codes: dict[str, CodeType]) -> None:
        self._package = package
        self._codes = {f"{package}.{module}": code for module, code in codes.items() if module != _ITSELF}
        self._codes[package] = codes[_ITSELF]

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=self.is_package(name)) if name in self._codes else None

    def is_package(self, name: str) -> bool:
        return name == self._package

    def get_code(self, name: str) -> CodeType:
        return self._codes[name]

    def get_source(self, name: str) -> None:
        """There is none to be shown in tracebacks."""
