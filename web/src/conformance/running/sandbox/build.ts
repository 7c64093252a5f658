/**
 * A plugin for Vite that makes the sandbox's page, `sandbox.html`: one file, since a page without an origin may not
 * load modules from here, with a policy of its own that takes this one script and what a user's module needs.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { transformWithEsbuild, type Plugin } from "vite";

const FILE = "sandbox.html";

const path = (name: string) => new URL(name, import.meta.url).pathname;

/** The code of a file that imports types only. */
async function code(name: string, define: Record<string, string> = {}): Promise<string> {
  const source = await readFile(path(name), "utf8");
  const made = await transformWithEsbuild(source, path(name), {
    format: "iife",
    target: "es2022",
    minify: true,
    define,
    sourcemap: false,
  });
  return made.code.trim();
}

async function page(): Promise<string> {
  const script = await code("frame.ts", { WORKER: JSON.stringify(await code("worker.ts")) });
  const hash = createHash("sha256").update(script).digest("base64");
  const places = "blob: https: http://localhost:* http://127.0.0.1:*";
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}' ${places} 'wasm-unsafe-eval'`,
    `worker-src ${places}`, // in Firefox also what a worker's module imports
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <title>Antiphon: sandbox for a module</title>
  </head>
  <body>
    <script>${script}</script>
  </body>
</html>
`;
}

export function sandbox(): Plugin {
  return {
    name: "antiphon-sandbox",
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, async (_, response) => {
        response.setHeader("Content-Type", "text/html").end(await page());
      });
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: await page() });
    },
  };
}
