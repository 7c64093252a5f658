// @ts-check
/**
 * Patterns by their entries in the table that came with the template, and the three-valued search for delimiters
 * (SPEC.md, section 4). There is no parser for patterns here: `RegExp` runs what the table holds.
 */

import { outsidePair } from "./text.mjs";

/** @import { Entry, Found, Translation } from "../types.d.ts" */

/** This engine can't run a pattern; the message says why. */
export class Unavailable extends Error {}

/** A translation, to be searched from a position on (mode "g") or matched at it ("y"). Positions are units. */
class Matcher {
  /** @param {Translation} translation @param {"g" | "y"} mode */
  constructor({ pattern, flags, groups, markers, notes }, mode) {
    if (pattern === null) throw new Unavailable(notes[0].text);
    try {
      this.regexp = new RegExp(pattern, flags + mode);
      this.regexp.test(""); // engines compile at the first use: what is too large for them shows here, at load
    } catch (error) {
      throw new Unavailable(String(error));
    }
    this.names = Object.entries(groups);
    this.markers = markers;
  }

  /** @param {string} text @param {number} pos @returns {Found | null} */
  run(text, pos) {
    this.regexp.lastIndex = pos;
    const match = this.regexp.exec(text);
    if (match === null) return null;
    const groups = match.groups ?? {};
    const taken = this.names.filter(([group]) => groups[group] !== undefined);
    const captures = Object.fromEntries(taken.map(([group, name]) => [name, groups[group]]));
    const undecided = this.markers.some((marker) => groups[marker] !== undefined);
    return { start: match.index, end: match.index + match[0].length, captures, undecided, certain: !undecided };
  }
}

/** A pattern for complete texts: an anchor in a prefix, a tag in a value. */
export class Pattern {
  /** @param {Entry} entry */
  constructor({ plain }) {
    this.plain = new Matcher(plain, "g");
  }

  /** All matches: each is searched from the end of the last, one further if that was empty. @param {string} text */
  *findAll(text) {
    for (let pos = 0, found; (found = this.plain.run(text, pos)) !== null; ) {
      yield found;
      pos = found.end > found.start ? found.end : outsidePair(text, found.end + 1);
    }
  }
}

/** Literals or a pattern that is searched in a stream. */
export class Delimiter {
  /** @param {Entry} entry */
  constructor({ groups, plain, hit_end, must, taking, longest, context }) {
    this.groups = groups;
    this.longest = longest ?? Infinity; // code points of a match
    this.context = context ?? Infinity; // code points before a match on which it may depend
    this.plain = new Matcher(plain, "g");
    // Where these can't be had, more is held than need be, and nothing else.
    this.hitEnd = hit_end?.pattern ? new Matcher(hit_end, "g") : null;
    this.must = must?.pattern ? new Matcher(must, "y") : null;
    this.taking = taking?.pattern ? new Matcher(taking, "y") : null;
  }

  /**
   * The first match that begins at `pos` or later; `complete`: nothing will be added to the text. While it goes on
   * there always is one, if only undecided at its end, where the next chunk may begin one.
   * @param {string} text @param {number} pos @param {boolean} complete
   */
  search(text, pos, complete) {
    const from = outsidePair(text, pos);
    if (complete) return this.plain.run(text, from);
    const found = this.hitEnd?.run(text, from);
    if (found?.undecided) found.certain = this.must !== null && this.must.run(text, found.start) !== null;
    const start = this.hitEnd ? Math.max(from, text.length) : from;
    return found ?? { start, end: start, captures: {}, undecided: true, certain: false };
  }

  /** Whether an undecided match may come to take text (DELIM-7). @param {string} text @param {number} pos */
  mayTakeText(text, pos) {
    return this.taking === null || this.taking.run(text, pos) !== null;
  }
}
