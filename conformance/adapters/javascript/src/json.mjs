// @ts-check
/** JSON as models write it: RFC 8259 and the two liberties of SPEC.md (KIND-JSON-1 to KIND-JSON-6). */

import { Reader } from "./reader.mjs";
import { find, standsAt, WORD } from "./text.mjs";

/** @import { Grammar } from "../types.d.ts" */

/** @type {Grammar} */
const GRAMMAR = {
  title: "JSON",
  kind: "json-syntax",
  maxDepth: 128, // more than CONTENT-3 asks for
  strings: { '"': /[^"\\\x00-\x1f]*/y },
  escapes: { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
  word: /true|false|null/y,
  constants: { true: true, false: false, null: null },
};
const NAME = new RegExp(`${WORD}+`, "uy");

/**
 * The value of a JSON text; throws `Malformed`.
 * @param {string} text
 * @param {{unquoted_keys?: boolean, string_delims?: [string, string][]}} liberties
 */
export function parseJson(text, { unquoted_keys = false, string_delims = [] } = {}) {
  const reader = new JsonReader(text, GRAMMAR);
  reader.unquotedKeys = unquoted_keys;
  reader.delims = [...string_delims].sort(([one], [other]) => other.length - one.length); // equals stay as listed
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader extends Reader {
  unquotedKeys = false;
  delims = /** @type {[string, string][]} */ ([]);

  name() {
    return this.string() ?? (this.unquotedKeys ? this.take(NAME)?.[0] : undefined) ?? this.fail("a member's name");
  }

  /** The string that comes next, delimited or in quotes (KIND-JSON-5). */
  string() {
    this.peek();
    const { text, pos } = this;
    const delims = this.delims.find(([open]) => standsAt(text, open, pos));
    if (delims === undefined) return super.string();
    const [open, close] = delims;
    const end = find(text, close, pos + open.length);
    if (end < 0) this.fail(`a string that ends in ${close}`);
    this.pos = end + close.length;
    return text.slice(pos + open.length, end);
  }
}
