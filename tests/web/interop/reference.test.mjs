/** The reference as JavaScript sees it. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { AntiphonError, load } from "antiphon-reference";

const progress = [];
const ref = await load({ onProgress: (step) => progress.push(step) });
const CHAT = { start_anchor: "<bot>", fields: { n: { open: "<n>", close: "</n>", content: "int" }, content: {} } };
const prefix = "<bot>";

/** The error that something throws. */
function thrown(work) {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AntiphonError);
    return error;
  }
  throw new Error("nothing was thrown");
}

/** What a parser gives for chunks. */
function fed(template, chunks, options = { prefix }) {
  const parser = ref.createParser(template, options);
  const feeds = chunks.map((chunk) => parser.feed(chunk));
  return { parser, feeds, ...parser.finalize() };
}

const chunk = (text, dirty = false) => ({ type: "region_chunk", field: "content", text, dirty });

describe("loading", () => {
  test("tells how far it is", () => {
    expect(progress[0]).toMatchObject({ step: "download", loaded: 0 });
    expect(progress.at(-1)).toEqual({ step: "start", loaded: progress[0].total, total: progress[0].total });
    const amounts = progress.map(({ loaded }) => loaded);
    expect(amounts).toEqual(amounts.toSorted((one, other) => one - other));
  });

  test("tells what runs", () => {
    expect(ref.versions).toMatchObject({ antiphon: "0.1.0", suite: expect.stringMatching(/^\d+\.\d+\.\d+$/), python: expect.stringMatching(/^3\./) });
    expect(["regex", "re"]).toContain(ref.versions.engine);
  });

  test("says that there is no runtime, and what to do", async () => {
    await expect(load({ runtime: "/nowhere/runtime" })).rejects.toThrow(/\/nowhere\/runtime\/manifest\.json can't be read.*give the folder/);
    await expect(load({ runtime: "https://example.org/runtime/" })).rejects.toThrow("isn't a folder; in Node, name one on this machine");
  });

  describe("with a runtime that isn't whole", () => {
    const folder = mkdtempSync(join(tmpdir(), "runtime-"));
    const whole = join(import.meta.dirname, "../node_modules/antiphon-reference/dist/runtime");
    const manifest = readFileSync(join(whole, "manifest.json"), "utf8");
    cpSync(whole, folder, { recursive: true });
    afterAll(() => rmSync(folder, { recursive: true }));

    test("refuses a file of another build", async () => {
      writeFileSync(join(folder, "manifest.json"), manifest.replace(/(antiphon\.zip",\s*"bytes": \d+,\s*"sha256": ")../, "$1zz"));
      await expect(load({ runtime: folder })).rejects.toThrow(/antiphon\.zip isn't the file that its manifest tells of/);
    });

    test("says which file is missing", async () => {
      writeFileSync(join(folder, "manifest.json"), manifest);
      rmSync(join(folder, "python_stdlib.zip"));
      await expect(load({ runtime: folder })).rejects.toThrow(/python_stdlib\.zip can't be read/);
    });
  });
});

describe("parsing", () => {
  test("makes messages, by templates as objects and as text", () => {
    for (const template of [CHAT, JSON.stringify(CHAT)]) {
      expect(ref.parseResponse("<n>42</n>Yes", template, { prefix })).toEqual({ n: 42, content: "Yes" });
    }
  });

  test("casts by tools, and passes over malformed regions", () => {
    const calls = { start_anchor: "<bot>", fields: { tool_calls: { open: "<c>", close: "</c>", content: "xml-inline", repeats: true, content_args: {} } } };
    expect(thrown(() => ref.parseResponse("", calls, { prefix, tools: [{}] }))).toMatchObject({ stage: "load" });
    expect(ref.parseResponse("<n>ten</n>Yes", CHAT, { prefix, onMalformed: "event" })).toEqual({ content: "Yes" });
  });

  test("goes on from the prefix, event by event", () => {
    const parser = ref.createParser(CHAT, { prefix: "<bot><n>" });
    expect(parser.initialEvents).toEqual([{ type: "region_open", field: "n" }]);
    expect(parser.feed("4</")).toEqual([{ type: "region_chunk", field: "n", text: "4", dirty: false }]);
    expect(parser.messageSoFar).toEqual({});
    expect(parser.feed("n>Y")).toEqual([{ type: "region_close", field: "n", value: 4 }, { type: "region_open", field: "content" }, chunk("Y")]);
    expect(parser.messageSoFar).toEqual({ n: 4 });
    expect(parser.finalize()).toEqual({ message: { n: 4, content: "Y" }, events: [{ type: "region_close", field: "content", value: "Y" }] });
    expect(thrown(() => parser.feed("x"))).toMatchObject({ stage: "state", kind: "finalized" });
  });

  test("keeps parsers apart", () => {
    const [one, other] = [ref.createParser(CHAT, { prefix }), ref.createParser(CHAT, { prefix })];
    one.feed("a");
    other.feed("b");
    one.feed("c");
    expect([one.finalize().message, other.finalize().message]).toEqual([{ content: "ac" }, { content: "b" }]);
  });

  test("frees parsers", () => {
    const parser = ref.createParser(CHAT, { prefix });
    parser.free();
    parser.free();
    expect(thrown(() => parser.feed("x"))).toMatchObject({ stage: "state", kind: "freed" });
  });
});

describe("errors", () => {
  test("of templates have a pointer", () => {
    const error = thrown(() => ref.createParser({ start_anchor: "<bot>", fields: { n: { opne: "<n>" } } }, { prefix }));
    expect(error).toMatchObject({ name: "AntiphonError", stage: "load", kind: "unknown-key", pointer: "/fields/n/opne", field: null });
    expect(error.message).toContain("write 'open'");
    expect(thrown(() => ref.createParser("{", { prefix }))).toMatchObject({ stage: "load", kind: "json" });
  });

  test("of parsing tell what came before", () => {
    const parser = ref.createParser(CHAT, { prefix });
    const error = thrown(() => parser.feed("ab<n>1</n><n>x</n>"));
    expect(error).toMatchObject({ stage: "feed", kind: "int-syntax", field: "n", position: 13, messageSoFar: { n: 1, content: "ab" } });
    expect(error.events).toHaveLength(8);
    expect(thrown(() => parser.finalize())).toMatchObject({ kind: "int-syntax" });
  });

  test("say that the prefix is missing", () => {
    expect(thrown(() => ref.parseResponse("x", CHAT))).toMatchObject({ stage: "prefix", kind: "prefix-missing" });
  });
});

describe("texts and numbers", () => {
  test("positions are code points", () => {
    expect(thrown(() => ref.parseResponse("👍<n>x</n>", CHAT, { prefix }))).toMatchObject({ position: 4 });
  });

  test("a pair that is cut is one code point", () => {
    const { feeds, message } = fed(CHAT, ["a\ud83d", "\udc4d"]);
    expect(feeds).toEqual([[{ type: "region_open", field: "content" }, chunk("a")], [chunk("👍")]]);
    expect(message).toEqual({ content: "a👍" });
  });

  test("halves without their other half pass unharmed", () => {
    const { feeds, events, message } = fed(CHAT, ["\udc4da\ud83d", "b\ud83d"]);
    expect(feeds[1]).toEqual([chunk("\ud83db")]);
    expect(events).toEqual([chunk("\ud83d"), { type: "region_close", field: "content", value: message.content }]);
    expect(message.content).toBe("\udc4da\ud83db\ud83d");
  });

  test("an error at the end tells also what half a pair brought", () => {
    const parser = ref.createParser(CHAT, { prefix });
    parser.feed("<n>\ud83d");
    const { stage, events } = thrown(() => parser.finalize());
    expect([stage, events]).toEqual(["finalize", [{ type: "region_chunk", field: "n", text: "\ud83d", dirty: false }]]);
  });

  test("integers become doubles; those of a template's text are read exactly", () => {
    expect(ref.parseResponse("<n>9007199254740993</n>", CHAT, { prefix }).n).toBe(9007199254740992);
    const source = '{"start_anchor": "<bot>", "defaults": {"n": 9007199254740993}, "fields": {"content": {}}}';
    expect(ref.parseResponse("", source, { prefix }).n).toBe(9007199254740992);
  });

  test("members with names of Object's own are members", () => {
    const json = { start_anchor: "<bot>", fields: { content: { content: "json" } } };
    const { content } = ref.parseResponse('{"__proto__": 1, "constructor": 2}', json, { prefix });
    expect(Object.entries(content)).toEqual([["__proto__", 1], ["constructor", 2]]);
  });
});

test("a check tells the faults of a template", () => {
  expect(ref.check(CHAT)).toMatchObject({ loads: true });
  const { loads, template } = ref.check({ start_anchor: "<bot>", fields: { n: { opne: "<n>" } } });
  expect([loads, template[0]]).toMatchObject([false, { code: "unknown-key", pointer: "/fields/n/opne" }]);
});

test("patterns are translated for an engine", () => {
  const patterns = ref.patterns(CHAT, "ecmascript");
  expect(Object.keys(patterns)).toEqual(["/start_anchor", "/fields/n/open", "/fields/n/close"]);
  expect(new RegExp(patterns["/fields/n/close"].plain.pattern, "u").exec("a</n>").index).toBe(1);
  expect(thrown(() => ref.patterns(CHAT, "cobol"))).toMatchObject({ stage: "state" });
});
