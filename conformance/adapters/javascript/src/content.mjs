// @ts-check
/** The content kinds: what a region's text means (SPEC.md, section 6). */

import { parseCallList } from "./call-list.mjs";
import { Malformed } from "./errors.mjs";
import { parseJson } from "./json.mjs";
import { toNumber } from "./reader.mjs";
import { find, strip } from "./text.mjs";

/** @import { Json, Kind, Parse } from "../types.d.ts" */
/** @import { Pattern } from "./patterns.mjs" */

const INTEGER = /^[+-]?[0-9]+$/;
const FLOAT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** @type {{[name: string]: Kind}} */
const TABLE = {
  text: {
    dirty: false,
    mayBeObject: false,
    args: { strip: "flag" },
    parser: (args) => (args.strip === false ? String : strip),
  },
  int: { dirty: false, mayBeObject: false, parser: () => parseInteger },
  float: { dirty: false, mayBeObject: false, parser: () => parseDouble },
  bool: { dirty: false, mayBeObject: false, parser: () => (text) => /^(?:true|1)$/i.test(strip(text)) },
  json: {
    dirty: true,
    mayBeObject: true,
    args: { unquoted_keys: "flag", string_delims: "pairs", allow_non_json: "flag" },
    parser: (args) => (text) => parseJsonOrText(text, args),
  },
  "xml-inline": {
    dirty: true,
    mayBeObject: true,
    args: { tag_pattern: "tags", value_parser: "parser", merge_duplicates: "flag" },
    required: "tag_pattern",
    parser: (args) => (text) => parseTags(text, args),
  },
  "kv-lines": {
    dirty: true,
    mayBeObject: true,
    args: { line_sep: "separator", kv_sep: "separator", strip: "flag", value_parser: "parser" },
    parser: (args) => (text) => parseLines(text, args),
  },
  "python-call-list": { dirty: true, mayBeObject: false, parser: () => parseCallList },
};
export const KINDS = new Map(Object.entries(TABLE));

/** KIND-INT-1. @param {string} text */
function parseInteger(text) {
  const literal = strip(text);
  if (INTEGER.test(literal)) return toNumber(literal);
  throw new Malformed("int-syntax", `"${literal.slice(0, 40)}" is not an integer`);
}

/** KIND-FLOAT-1; it takes all integers too. @param {string} text */
export function parseDouble(text) {
  const literal = strip(text);
  if (FLOAT.test(literal)) return toNumber(literal);
  throw new Malformed("float-syntax", `"${literal.slice(0, 40)}" is not a number`);
}

/** KIND-JSON-7. @param {string} text @param {any} args */
function parseJsonOrText(text, args) {
  try {
    return parseJson(text, args);
  } catch (error) {
    if (args.allow_non_json && error instanceof Malformed) return strip(text);
    throw error;
  }
}

/** KIND-XML-1 to KIND-XML-4.
 * @param {string} text @param {{tag_pattern: Pattern, value_parser?: Parse, merge_duplicates?: boolean}} args */
function parseTags(text, { tag_pattern, value_parser = String, merge_duplicates = false }) {
  const values = /** @type {Map<string, Json[]>} */ (new Map());
  for (const { captures } of tag_pattern.findAll(text)) {
    const { key, value } = captures;
    if (key === undefined) throw new Malformed("tag-without-key", "a tag matches tag_pattern without its group key");
    const earlier = merge_duplicates ? (values.get(key) ?? []) : [];
    values.set(key, [...earlier, value === undefined ? null : value_parser(value)]);
  }
  return Object.fromEntries([...values].map(([key, found]) => [key, found.length > 1 ? found : found[0]]));
}

/** KIND-KV-1 to KIND-KV-3.
 * @param {string} text @param {{line_sep?: string, kv_sep?: string, strip?: boolean, value_parser?: Parse}} args */
function parseLines(text, { line_sep = "\n", kv_sep = ":", strip: strips = true, value_parser = String }) {
  const trim = strips ? strip : String;
  const pairs = /** @type {[string, Json][]} */ ([]);
  for (let begin = 0, end = 0; end < text.length; begin = end + line_sep.length) {
    const found = find(text, line_sep, begin);
    end = found < 0 ? text.length : found;
    const line = trim(text.slice(begin, end));
    const middle = find(line, kv_sep, 0);
    if (middle >= 0) pairs.push([trim(line.slice(0, middle)), value_parser(trim(line.slice(middle + kv_sep.length)))]);
  }
  return Object.fromEntries(pairs);
}
