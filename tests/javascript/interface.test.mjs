/**
 * What the suite can't say of the port, since it speaks of code points and of one call after the other: run by
 * test_interface.py, which makes the patterns.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import {
  loadTemplate,
  ParseError,
  parseResponse,
  ParserStateError,
  ResponseParser,
  TemplateError,
} from "../../conformance/adapters/javascript/index.mjs";

const templates = JSON.parse(readFileSync(process.env.TEMPLATES, "utf8"));

/** A template of test_interface.py, loaded. */
function load(name) {
  const { document, patterns } = structuredClone(templates[name]);
  return loadTemplate(document, patterns);
}

/** The events of each call: of the construction, of each feed, and of the end. */
function calls(name, chunks, prefix = "") {
  const parser = new ResponseParser(load(name), { prefix });
  return [parser.initialEvents, ...chunks.map((chunk) => parser.feed(chunk)), parser.finalize().events];
}

const open = (field) => ({ type: "region_open", field });
const chunk = (field, text, dirty = false) => ({ type: "region_chunk", field, text, dirty });
const close = (field, value) => ({ type: "region_close", field, value });

test("half a character at the end of a chunk comes with its other half", () => {
  assert.deepEqual(calls("chat", ["a\ud83d", "\ude00b"]), [
    [],
    [open("content"), chunk("content", "a")],
    [chunk("content", "😀b")],
    [close("content", "a😀b")],
  ]);
});

test("half a character alone is held until it's clear that it is alone", () => {
  assert.deepEqual(calls("chat", ["\ud83d", "b\ude00", "\ud83d", "\ud83d"]), [
    [],
    [],
    [open("content"), chunk("content", "\ud83db\ude00")],
    [],
    [chunk("content", "\ud83d")],
    [chunk("content", "\ud83d"), close("content", "\ud83db\ude00\ud83d\ud83d")],
  ]);
});

test("half a character at the end of the prefix comes with the generation", () => {
  assert.deepEqual(calls("chat", ["\ude00"], "<bot>\ud83d"), [
    [],
    [open("content"), chunk("content", "😀")],
    [close("content", "😀")],
  ]);
});

test("a delimiter is found though it is cut within a character, and isn't found in half of one", () => {
  const [, held, opened, , ended] = calls("astral", ["x😀\ud83d", "\ude80y\ud83d", "\ude01\ud83d", "\ude81z"]);
  assert.deepEqual(held, [open("content"), chunk("content", "x")]);
  assert.deepEqual(opened, [close("content", "x"), open("block"), chunk("block", "y")]);
  assert.deepEqual(ended, [close("block", "y"), open("content"), chunk("content", "z")]);
  assert.equal(parseResponse("a\ud83db", load("half"), { prefix: "" }).content, "b");
  assert.equal(parseResponse("a😀b", load("half"), { prefix: "" }).content, "a😀b");
});

test("separators and delimiters of strings don't stand in half of a character", () => {
  const chunks = ["\ude00", "b\ud83d", "c"];
  assert.deepEqual(parseResponse(chunks.join(""), load("separators"), { prefix: "" }).content, { "\ude00b": "c" });
  assert.deepEqual(parseResponse("a😀b", load("separators"), { prefix: "" }).content ?? null, null);
});

test("a zero-width delimiter moves on by a character, not by half of one", () => {
  assert.deepEqual(parseResponse("😀😀a", load("zero width"), { prefix: "" }), { content: ["😀", "😀", "a"] });
});

test("positions of errors count characters", () => {
  const parser = new ResponseParser(load("chat"), { prefix: "<bot>😀😀" });
  parser.feed("😀😀<n>\ud83d");
  assert.throws(() => parser.feed("\ude00</n>"), { kind: "int-syntax", field: "n", position: 5 });
  const inHead = () => new ResponseParser(load("chat"), { prefix: "<bot>😀<n>😀😀</n>😀" });
  assert.throws(inHead, { kind: "int-syntax", position: -7 });
});

test("names are ordered by code points", () => {
  assert.deepEqual(Object.keys(parseResponse("<t>x", load("names"), { prefix: "" })), ["\uffff"]);
});

test("an error is final, and carries what came before it", () => {
  const parser = new ResponseParser(load("chat"), { prefix: "" });
  parser.feed("<n>1</n>a");
  const errors = [];
  for (const call of [() => parser.feed("b<n>x</n>c"), () => parser.feed(""), () => parser.finalize()]) {
    assert.throws(call, (error) => errors.push(error) > 0 && error instanceof ParseError);
  }
  assert.deepEqual(errors[0].events, [chunk("content", "b"), close("content", "ab"), open("n"), chunk("n", "x")]);
  assert.deepEqual(errors[0].messageSoFar, { n: [1], content: "ab" });
  assert.deepEqual(parser.messageSoFar, { n: [1], content: "ab" });
  assert.ok(errors[1] === errors[0] && errors[2] === errors[0]);
});

test("calls after the end, and arguments that can't be taken", () => {
  const parser = new ResponseParser(load("chat"), { prefix: "" });
  parser.finalize();
  assert.throws(() => parser.feed("a"), { kind: "finalized" });
  assert.throws(() => parser.finalize(), { kind: "finalized" });
  assert.throws(() => new ResponseParser(load("chat"), { prefix: "" }).feed(1), { kind: "not-text" });
  assert.throws(() => new ResponseParser(load("chat"), { prefix: 1 }), ParserStateError);
  assert.throws(() => new ResponseParser(load("chat"), { prefix: "", onMalformed: "skip" }), { kind: "option" });
  assert.throws(() => new ResponseParser(load("chat"), {}), { kind: "prefix-missing" });
  assert.throws(() => new ResponseParser(load("chat"), { prefix: "", tools: [{}] }), TemplateError);
});

test("documents, events and messages share nothing", () => {
  const { document, patterns } = structuredClone(templates.calls);
  const template = loadTemplate(document, patterns);
  document.defaults.list.push("changed");
  document.fields.call.transform.fixed.push("changed");
  const parser = new ResponseParser(template, { prefix: "" });
  const [, , closed] = parser.feed('<c>{"a": [1]}</c>');
  closed.value.twice[0].a.push("changed");
  assert.deepEqual(closed.value.twice[1], { a: [1] });
  closed.value.fixed.push("changed");
  const expected = { list: [], call: { twice: [{ a: [1] }, { a: [1] }], fixed: [] } };
  parser.messageSoFar.call.twice[1].a.push("changed");
  const { message } = parser.finalize();
  assert.deepEqual(message, expected);
  message.list.push("changed");
  assert.deepEqual(parseResponse('<c>{"a": [1]}</c>', template, { prefix: "" }), expected);
});

test("members that objects have by nature", () => {
  const text = '<c>{"a": {"__proto__": 1, "constructor": 2}}</c>';
  const { call } = parseResponse(text, load("calls"), { prefix: "" });
  assert.equal(JSON.stringify(call.twice[0]), '{"a":{"__proto__":1,"constructor":2}}');
  assert.throws(() => parseResponse("<t>{}", load("by nature"), { prefix: "" }), { kind: "placeholder-unresolved" });
});

test("values that JSON doesn't have", () => {
  const { document, patterns } = templates.chat;
  for (const other of [undefined, Number.NaN, 1n, () => 1]) {
    const faulty = { ...document, defaults: { a: other } };
    assert.throws(() => loadTemplate(faulty, patterns), { kind: "not-json", pointer: "/defaults/a" });
  }
});

test("a table of patterns that isn't the template's is no template error", () => {
  assert.throws(() => loadTemplate(templates.chat.document, {}), (error) => !(error instanceof TemplateError));
});

test("what no engine has room for is unavailable, and that shows at load", () => {
  const { document, patterns } = structuredClone(templates.chat);
  patterns["/fields/n/open"].plain.pattern = "ab".repeat(1_000_000);
  const expected = { kind: "pattern-unavailable", pointer: "/fields/n/open" };
  assert.throws(() => loadTemplate(document, patterns), expected);
});
