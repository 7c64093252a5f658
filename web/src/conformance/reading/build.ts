/**
 * A plugin for Vite: `virtual:accepts-report` is a function made of report.schema.json when the page is built, since
 * the page's policy takes no code made there.
 */

import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Plugin } from "vite";

const NAME = "virtual:accepts-report";
const SCHEMA = new URL("../../../../conformance/schema/report.schema.json", import.meta.url);

export function acceptsReport(): Plugin {
  return {
    name: "antiphon-accepts-report",
    resolveId: (name) => (name === NAME ? `\0${NAME}` : undefined),
    async load(name) {
      if (name !== `\0${NAME}`) return undefined;
      const ajv = new Ajv2020({ code: { source: true, esm: true }, validateFormats: false });
      return standalone(ajv, ajv.compile(JSON.parse(await readFile(SCHEMA, "utf8"))));
    },
  };
}
