// @ts-check
/** The adapter without its pipes: what it answers to a request (conformance/README.md, "The protocol"). */

import { loadTemplate, ParseError, ResponseParser, TemplateError } from "../index.mjs";
import { KINDS } from "./content.mjs";

/** Who this is. Of DIALECT-3 it lacks \X, for which ECMAScript has nothing. */
export const HELLO = {
  type: "hello",
  protocol: 1,
  name: "javascript",
  version: "0.1.0",
  language: "JavaScript",
  contents: [...KINDS.keys()],
  features: [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "branch-reset", "duplicate-names",
  ],
  dialect: "ecmascript",
};

/** @import { Template } from "../types.d.ts" */

const MOST_LOADED = 100;
/** Templates by their documents, as they were loaded or refused: runs without `patterns` find theirs here. */
const loaded = /** @type {Map<string, Template | TemplateError>} */ (new Map());

/** The answer to a request. @param {any} request @returns {object} */
export function answer(request) {
  return request.type === "hello" ? HELLO : { type: "result", id: request.id, ...run(request) };
}

/** @param {any} request */
function run(request) {
  /** @type {any} */
  const came = { initial: [], feeds: [], final: [] };
  let stage = "prefix";
  try {
    const { prefix, tools } = request;
    const parser = new ResponseParser(load(request), { prefix, tools, onMalformed: request.options.on_malformed });
    came.initial = parser.initialEvents;
    stage = "feed";
    for (const chunk of request.chunks) came.feeds.push(parser.feed(chunk));
    stage = "finalize";
    const { message, events } = parser.finalize();
    return { message, ...came, final: events };
  } catch (error) {
    if (error instanceof TemplateError) return refusal(error);
    if (!(error instanceof ParseError)) throw error;
    if (stage === "prefix") came.initial = error.events;
    if (stage === "feed") came.feeds.push(error.events);
    if (stage === "finalize") came.final = error.events;
    const { kind, field, position, message } = error;
    return { error: { stage, kind, ...(field === null ? {} : { field, position }), message }, ...came };
  }
}

/** The template of a request. @param {any} request */
function load({ template, patterns }) {
  const key = JSON.stringify(template);
  let found = loaded.get(key);
  if (found === undefined) {
    try {
      found = loadTemplate(template, patterns);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      found = error;
    }
    if (loaded.size === MOST_LOADED) loaded.clear();
    loaded.set(key, found);
  }
  if (found instanceof TemplateError) throw found;
  return found;
}

/** @param {TemplateError} error */
function refusal({ kind, pointer, message }) {
  if (kind === "pattern-unavailable") return { unsupported: message };
  return { error: { stage: "load", kind, pointer, message } };
}
