/** A port that loses white space at the ends of chunks: this is to fail, and to say in which cases. */

import { test } from "vitest";
import { runConformance } from "antiphon-reference";
import { loadTemplate, ResponseParser } from "../conformance/adapters/javascript/index.mjs";

class Broken extends ResponseParser {
  feed(text) {
    return super.feed(text.trim());
  }
}

const port = {
  name: "broken",
  version: "0.1",
  dialect: "ecmascript",
  createParser: (template, { patterns, ...options }) => new Broken(loadTemplate(template, patterns), options),
};

test("the port conforms", async () => {
  const outcome = await runConformance(port, { filter: "regions/current/*" });
  if (!outcome.passes) throw new Error(String(outcome));
});
