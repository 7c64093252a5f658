import { readFileSync, writeFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import license, { type Dependency } from "rollup-plugin-license";
import { defineConfig, type Plugin } from "vite";
import { acceptsReport } from "./src/conformance/reading/build";
import { sandbox } from "./src/conformance/running/sandbox/build";

/** Only what comes from the page's own place, and no code made of text. WebAssembly needs an exception of its own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** What only the built page has: its policy, and the theme, set by a script that comes before anything is drawn. */
const page: Plugin = {
  name: "page",
  apply: "build",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "theme.js", source: readFileSync("src/theme.js") });
  },
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" },
    { tag: "script", attrs: { src: "./theme.js" }, injectTo: "head-prepend" },
  ],
};

/** licences.txt, about what the page carries of others. */
function licences(): Plugin[] {
  let source = "";
  return [
    license({ thirdParty: (bundled) => void (source = licencesOf(bundled)) }),
    {
      name: "licences",
      // Builds of workers, which have these plugins too, write nothing.
      writeBundle: ({ dir }) => writeFileSync(`${dir}/licences.txt`, source),
    },
  ];
}

/** What is bundled, with its licences; Pyodide is served as npm has it. */
function licencesOf(bundled: Dependency[]): string {
  const pyodide = JSON.parse(readFileSync("node_modules/pyodide/package.json", "utf-8"));
  const about = [
    `Pyodide ${pyodide.version} (runtime/pyodide.*) is under the ${pyodide.license}.`,
    `Its sources are at ${pyodide.homepage}.`,
    "It is CPython, under the PSF License Agreement, compiled to WebAssembly; python_stdlib.zip is CPython's too.",
    "The licences of the other Python packages are inside the archives and wheels that hold them.",
  ];
  return [about.join("\n"), ...bundled.map((one) => one.text())].join(`\n\n${"-".repeat(72)}\n\n`) + "\n";
}

// The runtime (Python, the kit, its regex engine) is built by `runtime/`, and served as it is.
export default defineConfig({
  base: "./",
  publicDir: "build/public",
  plugins: [svelte(), page, sandbox(), acceptsReport()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000, // kB; most of it is the editors
    rollupOptions: { plugins: licences() },
  },
});
