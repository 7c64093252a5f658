/** What a consumer in TypeScript writes: the types let it pass, and nothing else. */

import { AntiphonError, load, runConformance } from "antiphon-reference";
import type { Adapter, Event, Message, Outcome, Parser, Port, Template } from "antiphon-reference";

const ref = await load({ runtime: new URL("file:///runtime/"), onProgress: ({ loaded, total }) => loaded / total });
const template: Template = { start_anchor: "<bot>", fields: { content: {} } };
const message: Message = ref.parseResponse("text", template, { prefix: "", tools: [{ type: "function" }], onMalformed: "event" });
const parser: Parser = ref.createParser('{"fields": {}}', { prefix: null });
const events: Event[] = [...parser.initialEvents, ...parser.feed("a"), ...parser.finalize().events];
const dirty: boolean[] = events.flatMap((event) => (event.type === "region_chunk" ? [event.dirty] : []));
const engine: "regex" | "re" = ref.versions.engine;

const port: Port = {
  name: "port",
  features: ["lookahead"],
  dialect: "ecmascript",
  createParser: async (template, { prefix, patterns }) => ({
    initialEvents: prefix === null || patterns === undefined ? [] : [{ type: "region_open", field: String(template) }],
    feed: async (text) => [{ type: "region_chunk", field: "content", text, dirty: false }],
    finalize: () => ({ message: {}, events: [] }),
  }),
};
const adapter: Adapter = (request) =>
  request.type === "hello"
    ? { type: "hello", protocol: 1, name: "a", version: "", language: "", contents: [], features: [] }
    : { type: "result", id: request.id, unsupported: request.chunks.join("") };
const outcome: Outcome = await runConformance(port, { filter: ["a/*"], level: "prompt", signal: AbortSignal.timeout(1000) });
const failing: string[] = outcome.failing.map(({ id, clauses, reason }) => `${id} ${clauses.join()} ${reason}`);
const passed: number = (await ref.runConformance(adapter)).tally.events.passed;

try {
  ref.check(template);
} catch (error) {
  if (error instanceof AntiphonError && error.stage === "load") console.log(error.kind, error.pointer?.length);
}
console.log(message, dirty, engine, failing, passed);

// @ts-expect-error: a text isn't a list of them
ref.parseResponse(["text"], template, { prefix: "" });
// @ts-expect-error: there is no such option
ref.createParser(template, { onMalformed: "ignore" });
// @ts-expect-error: a port needs a name
await runConformance({ createParser: port.createParser });
// @ts-expect-error: there is no such level
await runConformance(port, { level: "all" });
