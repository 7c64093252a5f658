// node bytecode.mjs SOURCES.zip COMPILED.zip LEVEL: Python files to .pyc files, by the Python that will load them.

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [sources, compiled, level] = process.argv.slice(2);
// Sets are written in the order of their hashes; and without the columns of tracebacks a module is a fifth smaller.
const python = await loadPyodide({ env: { HOME: "/", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
python.FS.writeFile("/sources.zip", readFileSync(sources));
python.globals.set("level", Number(level));
try {
  python.runPython(`
import py_compile, zipfile

options = {"optimize": level, "invalidation_mode": py_compile.PycInvalidationMode.UNCHECKED_HASH, "doraise": True}
with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/compiled.zip", "w") as compiled:
    for name in sources.namelist():
        with open("/module.py", "wb") as file:
            file.write(sources.read(name))
        compiled.write(py_compile.compile("/module.py", "/module.pyc", name, **options), f"{name}c")
`);
} catch (error) {
  const lines = error.message.trim().split("\n").slice(-4); // an uncaught one has Node print all of Pyodide
  console.error(lines.map((line) => line.trim()).join(" "));
  process.exit(1);
}
writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
