// @ts-check
/** Transforms: the shape of a region's value, with placeholders (SPEC.md, section 7). */

import { Malformed } from "./errors.mjs";
import { WORD } from "./text.mjs";
import { copy, isObject, mapInside, member, typeName } from "./values.mjs";

/** @import { Json, Message, Transform } from "../types.d.ts" */

const PLACEHOLDER = new RegExp(`\\{(${WORD}+(?:\\.${WORD}+)*)\\}`, "u");

/** The path of a string that is a placeholder, "mixed" if it is one in part, null for plain text (TRANSFORM-2).
 * @param {string} string */
export function readPlaceholder(string) {
  const found = PLACEHOLDER.exec(string);
  if (found === null) return null;
  return found[0] === string ? found[1].split(".") : "mixed";
}

/** @param {Json} shape @param {boolean} each whether it is for each element of the content @returns {Transform} */
export function transformer(shape, each) {
  const fill = filler(shape);
  if (!each) return (content, captures) => fill({ ...captures, content });
  return (content, captures) => {
    if (!Array.isArray(content)) {
      throw new Malformed("transform-each-not-list", `the content must be a list, not ${typeName(content)}`);
    }
    return content.map((element) => {
      if (isObject(element)) return fill({ ...captures, .../** @type {Message} */ (element) });
      throw new Malformed("transform-each-not-object", `the elements must be objects, not ${typeName(element)}`);
    });
  };
}

/** What fills a shape with the values of a scope. @param {Json} shape @returns {(scope: Message) => Json} */
function filler(shape) {
  if (typeof shape === "object" && shape !== null) {
    const parts = mapInside(shape, filler);
    return (scope) => mapInside(parts, (part) => part(scope));
  }
  const path = typeof shape === "string" ? readPlaceholder(shape) : null;
  return Array.isArray(path) ? (scope) => copy(lookUp(path, scope)) : () => shape;
}

/** TRANSFORM-3 and TRANSFORM-6. @param {string[]} path @param {Message} scope @returns {Json} */
function lookUp(path, scope) {
  let value = /** @type {Json | undefined} */ (scope);
  for (const key of path) {
    value = member(value, key);
    if (value === undefined) throw new Malformed("placeholder-unresolved", `{${path.join(".")}} finds no ${key}`);
  }
  return /** @type {Json} */ (value);
}
