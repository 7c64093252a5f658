/** Makes `dist/` complete, after the compiler: the runtime that `python -m runtime` has built, as Node loads it, too. */

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../build/public/runtime/", import.meta.url));
const target = fileURLToPath(new URL("dist/runtime/", import.meta.url));

rmSync(target, { recursive: true, force: true });
cpSync(built, target, { recursive: true });
cpSync(new URL("../../LICENSE", import.meta.url), new URL("dist/LICENSE", import.meta.url));
writeFileSync(`${target}package.json`, '{ "type": "commonjs" }\n'); // Pyodide's script is none of the package's modules
