// @ts-check
/** A place in a template's document: its value, the JSON Pointer to it, and the checks that values go through. */

import { TemplateError } from "./errors.mjs";
import { isObject, mapInside, typeName } from "./values.mjs";

const MAX_DEPTH = 100; // levels of objects and lists in a template (LOAD-1, too-deep)
const MAX_VALUES = 1_000_000;

export class Place {
  /** @param {any} value @param {string} pointer */
  constructor(value, pointer = "") {
    this.value = value;
    this.pointer = pointer;
  }

  /** @param {string} kind @param {string} reason what is wrong, and what to write instead @returns {never} */
  fail(kind, reason) {
    throw new TemplateError(kind, this.pointer, reason);
  }

  /** @param {string} key @param {any} value */
  at(key, value = this.value[key]) {
    return new Place(value, `${this.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }

  /** The places of an object's members or a list's elements, by their keys. @returns {[string, Place][]} */
  inside() {
    return typeof this.value === "object" ? Object.keys(this.value ?? {}).map((key) => [key, this.at(key)]) : [];
  }

  /** The value, if it is of a type. @template T @param {(value: any) => value is T} is @param {string} wanted */
  typed(is, wanted) {
    const { value } = this;
    return is(value) ? value : this.fail("wrong-type", `this must be ${wanted}, not ${typeName(value)}`);
  }

  string() {
    return this.typed((value) => typeof value === "string", "a string");
  }

  boolean() {
    return this.typed((value) => typeof value === "boolean", "true or false");
  }

  nonEmpty() {
    return this.string() || this.fail("empty-value", "the empty string stands everywhere; write what the model writes");
  }

  /** The places of a list's elements. @param {string} wanted */
  list(wanted) {
    this.typed(Array.isArray, wanted);
    return this.inside().map(([, place]) => place);
  }

  /** The places of an object's members. @param {string[]} allowed its keys @param {string} [required] */
  members(allowed, required) {
    this.typed(isObject, "an object");
    const members = new Map(this.inside());
    for (const [key, place] of members) {
      if (!allowed.includes(key)) place.fail("unknown-key", `there is no such key; the keys are ${allowed.join(", ")}`);
    }
    if (required !== undefined && !members.has(required)) this.fail("missing-key", `the key ${required} is missing`);
    return members;
  }
}

/** The place of a whole document, of which it takes a copy (TEMPLATE-9). @param {unknown} document */
export function root(document) {
  let values = 0;
  /** @param {Place} place @param {number} depth @returns {any} */
  const jsonValue = (place, depth) => {
    const { value } = place;
    if (++values > MAX_VALUES) place.fail("too-deep", `more than ${MAX_VALUES} values`);
    if (["string", "boolean"].includes(typeof value) || Number.isFinite(value) || value === null) return value;
    if (typeof value !== "object") place.fail("not-json", "JSON has strings, finite numbers, lists, objects …");
    if (depth > MAX_DEPTH) place.fail("too-deep", `more than ${MAX_DEPTH} levels of objects and lists`);
    return mapInside(value, (inside, key) => jsonValue(place.at(key, inside), depth + 1));
  };
  return new Place(jsonValue(new Place(document), 1));
}
