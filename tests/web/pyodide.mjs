// node pyodide.mjs PYODIDE STDLIB SCRIPT.py ARCHIVE…: runs a script with these archives in its site-packages.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, stdLibURL, script, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ stdLibURL });
const extractDir = python.runPython("import site; site.getsitepackages()[0]");
for (const archive of archives) python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir });
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  console.error(error.message); // without it, Node prints the line of code that raised it: all of Pyodide
  process.exit(1);
}
