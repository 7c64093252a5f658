// @ts-check
/** Texts as SPEC.md has them and JavaScript hasn't: white space (TEXT-2), code points (TEXT-1), the order of names. */

const WHITE_SPACE = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
    "\u2028\u2029\u202f\u205f\u3000",
);

/** `\w` of DIALECT-4, for a `RegExp` with flag u. JavaScript's own is ASCII. */
export const WORD = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";

/** The text without white space at its ends; `trim` has another set. @param {string} text */
export function strip(text) {
  let [begin, end] = [0, text.length];
  while (begin < end && WHITE_SPACE.has(text[begin])) begin++;
  while (begin < end && WHITE_SPACE.has(text[end - 1])) end--;
  return text.slice(begin, end);
}

/** Whether a text ends in what may be half of a surrogate pair. @param {string} text */
export const endsInHalf = (text) => (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;

/** Whether a position is between the halves of a surrogate pair. @param {string} text @param {number} pos */
const splitsPair = (text, pos) =>
  (text.charCodeAt(pos) & 0xfc00) === 0xdc00 && (text.charCodeAt(pos - 1) & 0xfc00) === 0xd800;

/** The position, or the next one if it is between the halves of a pair. @param {string} text @param {number} pos */
export const outsidePair = (text, pos) => (splitsPair(text, pos) ? pos + 1 : pos);

/** How many code points a text has. @param {string} text */
export function codePoints(text) {
  let count = text.length;
  for (let pos = 1; pos < text.length; pos++) count -= Number(splitsPair(text, pos));
  return count;
}

/** The order of two texts by code points; `<` goes by units. @param {string} one @param {string} other */
export function byCodePoints(one, other) {
  const [left, right] = [[...one], [...other]].map((text) => text.map((character) => character.codePointAt(0) ?? 0));
  const at = left.findIndex((code, index) => code !== right[index]);
  return at < 0 ? left.length - right.length : left[at] - (right[at] ?? -1);
}

/** Whether a part stands at `pos`, by code points. @param {string} text @param {string} part @param {number} pos */
export const standsAt = (text, part, pos) =>
  text.startsWith(part, pos) && !splitsPair(text, pos) && !splitsPair(text, pos + part.length);

/** Where a part stands first, from `pos` on, or -1. @param {string} text @param {string} part @param {number} pos */
export function find(text, part, pos) {
  let found = text.indexOf(part, pos);
  while (found >= 0 && !standsAt(text, part, found)) found = text.indexOf(part, found + 1);
  return found;
}
