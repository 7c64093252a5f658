/** What an author can do about an error of parsing, by its kind (SPEC.md, ERROR-1). */

const REMEDIES: { [kind: string]: string } = {
  "int-syntax": "Let the delimiters leave nothing but an integer, or make the content text.",
  "float-syntax": "Let the delimiters leave nothing but a number, or make the content text.",
  "json-syntax": "Let the delimiters leave nothing but JSON; allow_non_json takes what isn't JSON as text.",
  "calls-syntax": "Let the delimiters leave nothing but the list of calls, or make the content text.",
  "tag-without-key": "Let each match of tag_pattern have its group key.",
  "number-range": "Make the content text, where such numbers are to be kept.",
  "nesting-too-deep": "Make the content text, where such values are to be kept.",
  "transform-each-not-list": "Leave out transform_each, or use a content kind that gives a list.",
  "transform-each-not-object": "Leave out transform_each, or let the list hold objects only.",
  "placeholder-unresolved":
    "Name only what each text has: a group that always takes part, a member that is always there.",
  "join-not-string": "Leave out join, or use a content kind that gives text.",
  "field-missing": "Leave out optional: false, or give the field a default.",
};

/** A malformed region needn't end the stream. */
const ALSO = " Or choose malformed regions as events: then parsing goes on.";

export function remedyOf(kind: string): string {
  const remedy = REMEDIES[kind];
  if (!remedy) return "";
  return kind === "field-missing" ? remedy : remedy + ALSO;
}
