import { expect, test } from "vitest";
import { load } from "antiphon-reference";
import { loadTemplate, ResponseParser } from "../../../conformance/adapters/javascript/index.mjs"; // your port

const ref = await load();
const template = { start_anchor: "<bot>", fields: { thinking: { open: "<think>", close: "</think>" }, content: {} } };
const port = loadTemplate(template, ref.patterns(template, "ecmascript"));
const text = "One</th, two</think>Three 👍";

test.each([...text].map((_, cut) => cut))("cut at %i", (cut) => {
  const [mine, theirs] = [new ResponseParser(port, { prefix: "<bot>" }), ref.createParser(template, { prefix: "<bot>" })];
  for (const chunk of [text.slice(0, cut), text.slice(cut)]) expect(mine.feed(chunk)).toEqual(theirs.feed(chunk));
  expect(mine.finalize()).toEqual(theirs.finalize());
});
