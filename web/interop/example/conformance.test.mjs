import { test } from "vitest";
import { runConformance } from "antiphon-reference";
import { loadTemplate, ResponseParser } from "../../../conformance/adapters/javascript/index.mjs"; // your port

const port = {
  name: "my-port",
  version: "0.3.0",
  dialect: "ecmascript",
  createParser: (template, { patterns, ...options }) => new ResponseParser(loadTemplate(template, patterns), options),
};

test("the port conforms", { timeout: 600_000 }, async () => {
  const outcome = await runConformance(port, { filter: "regions/*", level: "prompt" });
  if (!outcome.passes) throw new Error(String(outcome));
});
