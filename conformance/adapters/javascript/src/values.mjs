// @ts-check
/**
 * JSON values. Objects are built by `Object.fromEntries` and asked by `Object.hasOwn`: models and templates may have a
 * member `__proto__` or `constructor`, and plain assignment and look-up do something else with those.
 */

/** @import { Json } from "../types.d.ts" */

/** Whether a value is an object, not a list or null. @param {unknown} value @returns {value is {[key: string]: any}} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of an object; undefined if the value has none by that name. @param {unknown} value @param {string} key */
export const member = (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);

/**
 * The object or list with what is in it mapped.
 * @param {any} value @param {(inside: any, key: string) => any} change @returns {any}
 */
export function mapInside(value, change) {
  if (Array.isArray(value)) return value.map((element, index) => change(element, String(index)));
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, change(inside, key)]));
}

/** A copy that shares nothing with the value (TEMPLATE-9). @template {Json} T @param {T} value @returns {T} */
export const copy = (value) => (typeof value === "object" && value !== null ? mapInside(value, copy) : value);

/** Whether MESSAGE-6 drops a value. @param {Json} value */
export const isEmpty = (value) =>
  value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** The JSON type of a value, for messages to people. @param {unknown} value */
export const typeName = (value) => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);
