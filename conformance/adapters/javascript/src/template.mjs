// @ts-check
/** Response templates: loading, with every check that can be made without a text (SPEC.md, section 1). */

import { KINDS } from "./content.mjs";
import { Delimiter, Pattern, Unavailable } from "./patterns.mjs";
import { root } from "./place.mjs";
import { byCodePoints } from "./text.mjs";
import { readPlaceholder, transformer } from "./transform.mjs";
import { isObject, typeName } from "./values.mjs";

/** @import { Entry, Field, Patterns, Template } from "../types.d.ts" */
/** @import { Place } from "./place.mjs" */

/** @typedef {Map<string, Place>} Members */

const KEYS = ["version", "defaults", "start_anchor", "start_anchor_pattern", "fields"];
const DELIMITER_KEYS = ["open", "open_pattern", "close", "close_pattern"];
const VALUE_KEYS = ["content", "content_args", "repeats", "join", "optional", "transform", "transform_each"];

/**
 * The template of a JSON document, ready for use.
 * @param {unknown} document
 * @param {Patterns} patterns what `antiphon translate FILE --to ecmascript` writes for it
 * @returns {Template}
 * @throws {import("./errors.mjs").TemplateError} with kind and JSON Pointer (LOAD-1)
 */
export function loadTemplate(document, patterns) {
  const place = root(document);
  const members = place.members(KEYS, "fields");
  const version = members.get("version");
  if (version && version.typed((value) => typeof value === "number", "the number 1") !== 1) {
    version.fail("unsupported-version", "this version is unknown; write 1");
  }
  const anchor = readPattern(members, "start_anchor", Pattern, patterns);
  if (anchor === undefined) return place.fail("missing-key", "write either start_anchor or start_anchor_pattern");
  const fields = readFields(/** @type {Place} */ (members.get("fields")), patterns);
  const implicit = fields.find((field) => field.open === undefined);
  return { defaults: readDefaults(members.get("defaults"), fields), fields, implicit, anchor };
}

/**
 * What stands in `key` or in its twin `…_pattern`: literals or a pattern; undefined if neither is there.
 * @template T
 * @param {Members} members @param {string} key @param {new (entry: Entry) => T} Type @param {Patterns} patterns
 */
function readPattern(members, key, Type, patterns) {
  const [literals, pattern] = [members.get(key), members.get(`${key}_pattern`)];
  if (literals && pattern) pattern.fail("conflicting-keys", `${key} is there too; only one of the two can count`);
  if (typeof literals?.value === "string") literals.nonEmpty();
  else if (literals?.list("a string or a list of strings").map((one) => one.nonEmpty()).length === 0) {
    literals.fail("empty-value", "the list is empty; name at least one literal");
  }
  pattern?.nonEmpty();
  const place = literals ?? pattern;
  return place && compiled(place, Type, patterns);
}

/**
 * A pattern or literals by the entry in the table.
 * @template T
 * @param {Place} place @param {new (entry: Entry) => T} Type @param {Patterns} patterns
 */
function compiled(place, Type, patterns) {
  const entry = patterns?.[place.pointer]; // without a table, for callers whose types nobody checks
  if (entry === undefined) throw new Error(`${place.pointer}: the table of patterns isn't that of this template`);
  if (entry.error) place.fail(entry.error.kind, entry.error.message);
  try {
    return new Type(entry);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return place.fail("pattern-unavailable", `the regex engine at hand can't do this: ${error.message}`);
  }
}

/** @param {Place} place @param {Patterns} patterns */
function readFields(place, patterns) {
  place.typed(isObject, "an object");
  const fields = place.inside().map(([name, at]) => readField(name, at, patterns));
  if (fields.length === 0) place.fail("empty-value", "there are no fields; name at least one key of the message");
  const [, second] = fields.filter((field) => field.open === undefined);
  if (second) place.at(second.name).fail("several-implicit-fields", "one field only may be without an open");
  return fields.sort((one, other) => byCodePoints(one.name, other.name));
}

/** @param {string} name @param {Place} place @param {Patterns} patterns @returns {Field} */
function readField(name, place, patterns) {
  const members = place.members([...DELIMITER_KEYS, ...VALUE_KEYS]);
  const open = readPattern(members, "open", Delimiter, patterns);
  const close = readPattern(members, "close", Delimiter, patterns);
  if (open) checkGroups(open.groups, members, "open_pattern");
  if (close) checkGroups(close.groups, members, "close_pattern");
  const repeats = members.get("repeats")?.boolean() ?? false;
  const join = members.get("join")?.string();
  if (!repeats) members.get("join")?.fail("join-without-repeats", 'join needs "repeats": true beside it');
  const content = readContent(members.get("content"), members.get("content_args"), place, patterns);
  const closeGroups = close?.groups ?? [];
  const { transform, names } = readTransform(members, content.mayBeObject, [...(open?.groups ?? []), ...closeGroups]);
  const valueDependsOnClose = names.some((used) => closeGroups.includes(used));
  const optional = members.get("optional")?.boolean() ?? true;
  return { name, open, close, ...content, transform, valueDependsOnClose, repeats, join, optional };
}

/** TEMPLATE-7. @param {string[]} groups @param {Members} members @param {string} key */
function checkGroups(groups, members, key) {
  const place = members.get(key);
  if (groups.includes("content")) place?.fail("reserved-group", "content is the region's own value; rename the group");
  if (groups.length === 0 || members.has("transform")) return;
  place?.fail("captures-without-transform", "add a transform that uses the captures, or write (?:…) for the groups");
}

/** A content kind and its arguments; if these are lacking, they are in `parent`.
 * @param {Place | undefined} name @param {Place | undefined} args @param {Place} parent @param {Patterns} patterns */
function readContent(name, args, parent, patterns) {
  const kind = KINDS.get(name?.string() ?? "text");
  const known = `the kinds are ${[...KINDS.keys()].join(", ")}`;
  if (!kind) return /** @type {Place} */ (name).fail("unknown-content", known);
  const { dirty, mayBeObject, args: readers = {}, required, parser } = kind;
  if (args === undefined && required) parent.fail("missing-key", `there is no ${required} in content_args or args`);
  const given = args === undefined ? [] : [...args.members(Object.keys(readers), required)];
  const values = given.map(([key, place]) => [key, ARGUMENTS[readers[key]](place, patterns)]);
  return { dirty, mayBeObject, parse: parser(Object.fromEntries(values)) };
}

/** How arguments of content kinds are read, by the names that `KINDS` has for it.
 * @type {{[reader: string]: (place: Place, patterns: Patterns) => unknown}} */
const ARGUMENTS = {
  flag: (place) => place.boolean(),
  separator: (place) => place.nonEmpty(),
  pairs: (place) => place.list("a list of pairs [open, close]").map(readPair),
  tags: (place, patterns) => {
    place.nonEmpty();
    const pattern = compiled(place, Pattern, patterns);
    const lacking = ["key", "value"].find((group) => !patterns[place.pointer].groups.includes(group));
    return lacking ? place.fail("missing-group", `the pattern needs a group (?P<${lacking}>…)`) : pattern;
  },
  parser: (place, patterns) => {
    const members = place.members(["name", "args"], "name");
    return readContent(members.get("name"), members.get("args"), place, patterns).parse;
  },
};

/** @param {Place} place */
function readPair(place) {
  const pair = place.list("a pair [open, close]");
  return pair.length === 2 ? pair.map((one) => one.nonEmpty()) : place.fail("wrong-type", "a pair has two strings");
}

/**
 * The transform, and the names in its placeholders.
 * @param {Members} members @param {boolean} mayBeObject of the content's value @param {string[]} groups
 */
function readTransform(members, mayBeObject, groups) {
  const [place, each] = [members.get("transform"), members.get("transform_each")];
  const forEach = each?.boolean() ?? false;
  if (place === undefined) {
    if (forEach) each?.fail("transform-each-without-transform", "add a transform, or leave this out");
    return { transform: undefined, names: [] };
  }
  if (!isObject(place.value) && !Array.isArray(place.value)) place.string();
  const names = readShape(place, (path, at) => forEach || checkPlaceholder(path, at, mayBeObject, groups));
  return { transform: transformer(place.value, forEach), names };
}

/** The names in the placeholders of a shape, each of which is checked.
 * @param {Place} place @param {(path: string[], place: Place) => unknown} check @returns {string[]} */
function readShape(place, check) {
  if (typeof place.value !== "string") return place.inside().flatMap(([, at]) => readShape(at, check));
  const path = readPlaceholder(place.value);
  if (path === "mixed") return place.fail("placeholder-mixed", "a string is a placeholder as a whole, or not at all");
  if (path !== null) check(path, place);
  return path === null ? [] : [path[0]];
}

/** TRANSFORM-5. @param {string[]} path @param {Place} place @param {boolean} mayBeObject @param {string[]} groups */
function checkPlaceholder([name, ...keys], place, mayBeObject, groups) {
  if (name === "content" ? keys.length === 0 || mayBeObject : groups.includes(name) && keys.length === 0) return;
  place.fail("placeholder-undefined", `this can't be there; the names are ${["content", ...groups].join(", ")}`);
}

/** TEMPLATE-8. @param {Place | undefined} place @param {Field[]} fields */
function readDefaults(place, fields) {
  if (place === undefined) return {};
  place.typed(isObject, "an object");
  for (const { name, repeats, join } of fields) {
    if (!repeats || !Object.hasOwn(place.value, name)) continue;
    const wanted = join === undefined ? "list" : "string";
    if (typeName(place.value[name]) === wanted) continue;
    place.at(name).fail("default-type", `values are added to it, so it must be a ${wanted}`);
  }
  return place.value;
}
