// @ts-check
/** Lists of calls as Python writes them: `[name(key="value", …), …]` (KIND-CALLS-1 to KIND-CALLS-5). */

import { Reader } from "./reader.mjs";

/** @import { Grammar, Json } from "../types.d.ts" */

const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*/y;

/** @type {Grammar} */
const GRAMMAR = {
  title: "a list of calls",
  kind: "calls-syntax",
  maxDepth: 100, // KIND-CALLS-4
  strings: { "'": /[^'\\\n\r\p{Surrogate}]*/uy, '"': /[^"\\\n\r\p{Surrogate}]*/uy }, // flag u: lone ones only
  escapes: { "'": "'", '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" },
  word: NAME,
  constants: { True: true, true: true, False: false, false: false, None: null, null: null },
};

/** The calls of a text; throws `Malformed`. @param {string} text @returns {Json} */
export function parseCallList(text) {
  const reader = new CallReader(text, GRAMMAR);
  reader.expect("[");
  const calls = reader.items("]", () => reader.call());
  reader.end();
  return calls;
}

class CallReader extends Reader {
  /** @returns {Json} */
  call() {
    const name = this.identifier("a function's name");
    this.expect("(");
    return { name, arguments: this.object(this.items(")", () => this.argument())) };
  }

  /** @returns {[string, Json]} */
  argument() {
    const name = this.identifier("the name of a keyword argument");
    this.expect("=");
    return [name, this.value(0)];
  }

  /** @param {string} expected */
  identifier(expected) {
    this.peek();
    return this.take(NAME)?.[0] ?? this.fail(expected);
  }

  /** @param {[string, Json][]} pairs */
  object(pairs) {
    return new Set(pairs.map(([name]) => name)).size === pairs.length ? super.object(pairs) : this.fail("other names");
  }

  /** @param {string} literal @param {boolean} integral */
  number(literal, integral) {
    const number = Number(literal);
    return (integral ? Number.isSafeInteger : Number.isFinite)(number) ? number : this.fail("a smaller number");
  }
}
