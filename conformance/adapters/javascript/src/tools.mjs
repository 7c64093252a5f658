// @ts-check
/** Tool typing: arguments that a model wrote as text, cast by the called tool's schema (SPEC.md, section 8). */

import { parseDouble } from "./content.mjs";
import { Malformed, TemplateError } from "./errors.mjs";
import { parseJson } from "./json.mjs";
import { strip } from "./text.mjs";
import { isObject, mapInside, member } from "./values.mjs";

/** @import { Json } from "../types.d.ts" */

const MAX_DEPTH = 100; // levels of unions that are looked into (TOOLS-3); a schema may contain itself
const BOOLEANS = new Map([["true", true], ["1", true], ["false", false], ["0", false]]);

/** TOOLS-4. What isn't of the type is `Malformed`, or undefined.
 * @type {{[type: string]: (text: string) => Json | undefined}} */
const CASTS = {
  integer: (text) => only(Number.isInteger, parseDouble(text)),
  number: parseDouble,
  boolean: (text) => BOOLEANS.get(strip(text).replace(/^(?:true|false)$/i, (word) => word.toLowerCase())),
  null: (text) => (["null", "None"].includes(strip(text)) ? null : undefined),
  object: (text) => only(isObject, parseJson(strip(text))),
  array: (text) => only(Array.isArray, parseJson(strip(text))),
};

/** @param {(value: Json) => boolean} check @param {Json} value */
const only = (check, value) => (check(value) ? value : undefined);

/** What casts the calls in a region's value, of which it makes a new one (TOOLS-2). Throws `TemplateError`.
 * @param {unknown} tools @returns {(value: Json) => Json} */
export function caster(tools) {
  if (!Array.isArray(tools)) throw new TemplateError("invalid-tools", "", "tools are a list of tool objects");
  const schemas = new Map(tools.map(readTool));
  /** @param {Json} value @returns {Json} */
  const cast = (value) => {
    if (Array.isArray(value)) return value.map(cast);
    const called = member(value, "function");
    const properties = schemas.get(member(called, "name"));
    const given = member(called, "arguments");
    if (properties === undefined || !isObject(given)) return value;
    const typed = mapInside(given, (argument, name) => castArgument(argument, member(properties, name)));
    return mapInside(value, (inside, key) => (key === "function" ? { ...called, arguments: typed } : inside));
  };
  return cast;
}

/**
 * A tool's name, and the schemas of its parameters (TOOLS-1).
 * @param {any} tool @param {number} index @returns {[string, unknown]}
 */
function readTool(tool, index) {
  const called = isObject(tool) && Object.hasOwn(tool, "function") ? tool.function : tool;
  const name = member(called, "name");
  if (typeof name === "string") return [name, member(member(called, "parameters"), "properties") ?? {}];
  const reason = 'a tool is {"type": "function", "function": {"name": …, "parameters": …}} or the inner object';
  throw new TemplateError("invalid-tools", `/${index}`, reason);
}

/** TOOLS-6. @param {Json} argument @param {unknown} schema @returns {Json} */
function castArgument(argument, schema) {
  const types = [...candidates(schema, 0)];
  if (!Array.isArray(argument) || types.includes("array")) return castText(argument, types);
  return argument.map((element) => castText(element, types));
}

/** The types to try (TOOLS-3). @param {unknown} schema @param {number} depth @returns {Generator<string>} */
function* candidates(schema, depth) {
  if (depth === MAX_DEPTH) return;
  yield* [member(schema, "type")].flat().filter((type) => typeof type === "string");
  for (const union of [member(schema, "anyOf"), member(schema, "oneOf")]) {
    for (const one of Array.isArray(union) ? union : []) yield* candidates(one, depth + 1);
  }
  if (member(schema, "nullable") === true) yield "null";
}

/** A string by the first cast that succeeds; other values, and what no cast takes, as they are (TOOLS-5).
 * @param {Json} value @param {string[]} types @returns {Json} */
function castText(value, types) {
  for (const type of typeof value === "string" ? types : []) {
    try {
      const found = Object.hasOwn(CASTS, type) ? CASTS[type](String(value)) : undefined;
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
  }
  return value;
}
