/**
 * Searches with `RegExp`, as a port does them: all matches in a complete text, and what a stream shows at each moment.
 */

import type { Calls, Found, Translation } from "../../interop/src/api";
import { reasonOf } from "../shown";
import { Text } from "../text";

/** What the reference answers to the same question; positions are code points. */
export type Searches = Calls["search"]["answer"];
export type Moment = Searches["held"][number];

/** A translation that the engine can be asked about. */
export type Runnable = Pick<Translation, "flags" | "groups" | "markers"> & { pattern: string };

export interface Request {
  plain: Runnable | null;
  hitEnd: Runnable | null;
  text: string;
}

/** Or what the engine says of the pattern. */
export type Answer = { ok: Searches } | { error: string };

export function searches({ plain, hitEnd, text }: Request): Answer {
  try {
    const whole = new Text(text);
    return { ok: { matches: plain ? matches(plain, whole) : [], held: hitEnd ? moments(hitEnd, whole) : [] } };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** Each is searched from the end of the last one, one code point further if that was empty. */
function matches(translation: Runnable, text: Text): Found[] {
  const { flags, pattern } = translation;
  return [...text.string.matchAll(new RegExp(pattern, `${flags}g`))].map((match) => foundOf(translation, match, text));
}

function moments(translation: Runnable, text: Text): Moment[] {
  const regexp = new RegExp(translation.pattern, translation.flags);
  return Array.from({ length: text.length + 1 }, (_, moment) =>
    momentOf(translation, regexp, new Text(text.slice(0, moment))),
  );
}

/** What the hit-end search tells when so much of the text has come. */
function momentOf(translation: Runnable, regexp: RegExp, text: Text): Moment {
  const moment = text.length;
  const none: Moment = { moment, result: "no", start: moment, end: moment };
  const match = regexp.exec(text.string);
  if (!match) return none;
  const { start, end } = foundOf(translation, match, text);
  const undecided = translation.markers.some((marker) => match.groups?.[marker] !== undefined);
  if (!undecided) return { moment, result: "match", start, end };
  return start < moment ? { moment, result: "undecided", start, end } : none; // at the end one may always begin
}

/** Of several groups that stand for one of the pattern, the last that took part counts. */
function foundOf({ groups }: Runnable, match: RegExpExecArray, text: Text): Found {
  const taken = Object.entries(groups).filter(([group]) => match.groups?.[group] !== undefined);
  const captures = Object.fromEntries(taken.map(([group, name]) => [name, match.groups![group]]));
  return { start: text.point(match.index), end: text.point(match.index + match[0].length), captures };
}
