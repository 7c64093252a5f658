// @ts-check
/**
 * What the grammars of `json` and `python-call-list` share; each is a subclass that says where it differs. `JSON.parse`
 * is no help: it takes escapes of lone surrogates, knows no liberties, and doesn't tell depth from syntax.
 */

import { Malformed } from "./errors.mjs";
import { codePoints } from "./text.mjs";

/** @import { Grammar, Json } from "../types.d.ts" */

const SPACE = /[\t\n\r ]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const ESCAPED_UNIT = /\\u([0-9A-Fa-f]{4})/y;

/** Reads a text from `pos` on. Each method leaves `pos` behind what it took, or throws `Malformed`. */
export class Reader {
  pos = 0;

  /** @param {string} text @param {Grammar} grammar */
  constructor(text, grammar) {
    this.text = text;
    this.grammar = grammar;
  }

  /** @param {string} expected @returns {never} */
  fail(expected) {
    const place = `at code point ${codePoints(this.text.slice(0, this.pos))} of the text`;
    throw new Malformed(this.grammar.kind, `not ${this.grammar.title}: ${expected} expected ${place}`);
  }

  /** What a sticky expression matches here; it is taken. @param {RegExp} expression */
  take(expression) {
    expression.lastIndex = this.pos;
    const found = expression.exec(this.text);
    this.pos += found?.[0].length ?? 0;
    return found;
  }

  /** The next unit behind white space, which is taken; undefined at the end. @returns {string | undefined} */
  peek() {
    this.take(SPACE);
    return this.text[this.pos];
  }

  /** Whether a character comes next, which is then taken. @param {string} character */
  accept(character) {
    if (this.peek() !== character) return false;
    this.pos++;
    return true;
  }

  /** @param {string} character */
  expect(character) {
    if (!this.accept(character)) this.fail(`"${character}"`);
  }

  end() {
    if (this.peek() !== undefined) this.fail("the end");
  }

  /** Items with commas between them, up to and with `close`. @template T @param {string} close @param {() => T} item */
  items(close, item) {
    const found = /** @type {T[]} */ ([]);
    while (!this.accept(close)) {
      if (found.length > 0) this.expect(",");
      found.push(item());
    }
    return found;
  }

  /** The value that comes next; `depth` lists and objects are around it. @param {number} depth @returns {Json} */
  value(depth) {
    const string = this.string();
    if (string !== undefined) return string;
    const next = this.peek();
    if (next === "[" || next === "{") return this.container(next, depth + 1);
    const number = this.take(NUMBER);
    if (number !== null) return this.number(number[0], number[1] === undefined && number[2] === undefined);
    const begin = this.pos;
    const word = this.take(this.grammar.word)?.[0] ?? "";
    if (Object.hasOwn(this.grammar.constants, word)) return this.grammar.constants[word];
    this.pos = begin;
    return this.fail("a value");
  }

  /** @param {"[" | "{"} open @param {number} depth */
  container(open, depth) {
    const { maxDepth } = this.grammar;
    if (depth > maxDepth) throw new Malformed("nesting-too-deep", `more than ${maxDepth} lists in lists`);
    this.expect(open);
    if (open === "[") return this.items("]", () => this.value(depth));
    return this.object(this.items("}", () => this.member(depth)));
  }

  /** @param {number} depth @returns {[string, Json]} */
  member(depth) {
    const name = this.name();
    this.expect(":");
    return [name, this.value(depth)];
  }

  name() {
    return this.string() ?? this.fail("a member's name");
  }

  /** @param {[string, Json][]} pairs of members with the same name, the last counts @returns {Json} */
  object(pairs) {
    return Object.fromEntries(pairs);
  }

  /** CONTENT-2. @param {string} literal @param {boolean} _integral without fraction and exponent */
  number(literal, _integral) {
    return toNumber(literal);
  }

  /** The string that comes next; undefined if none does. @returns {string | undefined} */
  string() {
    const quote = this.peek() ?? "";
    const characters = this.grammar.strings[quote];
    if (characters === undefined) return undefined;
    this.pos++;
    for (let string = ""; ; string += this.escape()) {
      string += this.take(characters)?.[0];
      if (this.text[this.pos] !== quote) continue;
      this.pos++;
      return string;
    }
  }

  /** An escape; one of a surrogate only together with that of the other half (KIND-JSON-3, KIND-CALLS-3). */
  escape() {
    const begin = this.pos;
    const simple = this.text[begin] === "\\" ? this.grammar.escapes[this.text[begin + 1]] : undefined;
    if (simple !== undefined) {
      this.pos += 2;
      return simple;
    }
    const unit = this.unit();
    const escaped = unit.isWellFormed() ? unit : unit + this.unit();
    if (escaped !== "" && escaped.isWellFormed()) return escaped;
    this.pos = begin;
    return this.fail("a character of a string, an escape (surrogates in pairs) or the closing quote");
  }

  /** The unit that a `\uXXXX` escape stands for, which is taken; nothing if none comes next. */
  unit() {
    const escape = this.take(ESCAPED_UNIT);
    return escape === null ? "" : String.fromCharCode(parseInt(escape[1], 16));
  }
}

/** The nearest double of a literal that has the grammar already (CONTENT-2). @param {string} literal */
export function toNumber(literal) {
  const number = Number(literal);
  if (Number.isFinite(number)) return number;
  throw new Malformed("number-range", `${literal.slice(0, 20)}… is too large`);
}
