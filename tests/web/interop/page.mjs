/** In a page, and in a worker of it: the reference, a run of the suite, and its own failures. */

import { load } from "/package/dist/index.js";
import { answer } from "/javascript/src/answer.mjs";

const steps = [];
const ref = await load({ onProgress: ({ step, loaded, total }) => steps.push([step, loaded, total]) });
const template = { start_anchor: "<bot>", fields: { n: { open: "<n>", close: "</n>", content: "int" }, content: {} } };
const outcome = await ref.runConformance(answer, { filter: "regions/current/*", level: "prompt" });
const refused = await load({ runtime: "/nowhere/" }).catch((error) => error.message);
const result = {
  message: ref.parseResponse("<n>1</n>👍", template, { prefix: "<bot>" }),
  conforms: outcome.conforms,
  cases: outcome.tally.prompt,
  first: steps[0],
  last: steps.at(-1),
  refused,
};

if (globalThis.document) document.querySelector("output").textContent = JSON.stringify(result);
else postMessage(result);
