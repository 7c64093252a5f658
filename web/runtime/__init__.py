"""Builds what runs in the browser (`make web`): Pyodide, the standard library, the kit, and its regex engine.

    cd web && python -m runtime

fills `build/public/runtime/`, from pinned packages of PyPI and npm and from this checkout; the same bytes every time.
Not part of the kit that is installed: only its results are, as files of the built page.
"""
