/** What two engines found, side by side. */

import type { Found } from "../../interop/src/api";
import { escaped, quoted, shortened } from "../shown";
import { Text } from "../text";
import type { Moment } from "./searches";

/** A line of each, as people read it; `mark`: what differs first, or differs. */
export interface Row {
  /** The number of a match; the moments at which both tell this, from first to last. */
  at: string;
  /** What came at these moments. */
  came: string;
  reference: string;
  own: string;
  mark: "" | "first" | "other";
}

const CAME = 40; // units of what came that are shown

export function matchRows(text: string, reference: Found[], own: Found[]): Row[] {
  const whole = new Text(text);
  const count = Math.max(reference.length, own.length);
  const line = (found: Found | undefined) => (found ? matchLine(found, whole) : "·");
  const rows = Array.from({ length: count }, (_, at) => ({
    at: String(at + 1),
    came: "",
    reference: line(reference[at]),
    own: line(own[at]),
  }));
  return marked(rows);
}

/** A row for each moment, in which those that tell the same as the one before are taken together. */
export function momentRows(text: string, reference: Moment[], own: Moment[]): Row[] {
  const whole = new Text(text);
  const byMoment = new Map(own.map((one) => [one.moment, momentLine(one)]));
  const rows: { first: number; last: number; reference: string; own: string }[] = [];
  for (const one of reference) {
    const [ours, theirs] = [momentLine(one), byMoment.get(one.moment) ?? "·"];
    const before = rows.at(-1);
    if (before?.reference === ours && before.own === theirs) before.last = one.moment;
    else rows.push({ first: one.moment, last: one.moment, reference: ours, own: theirs });
  }
  return marked(
    rows.map(({ first, last, reference, own }) => ({
      at: first === last ? String(first) : `${first}–${last}`,
      came: escaped(shortened(whole.slice(Math.max(0, first - 1), last), CAME)),
      reference,
      own,
    })),
  );
}

function matchLine({ start, end, captures }: Found, text: Text): string {
  const groups = Object.entries(captures).sort(([one], [other]) => (one < other ? -1 : 1));
  const named = groups.map(([name, value]) => `  ${name}: ${quoted(value)}`).join("");
  return `${start}–${end}  ${quoted(text.slice(start, end))}${named}`;
}

function momentLine({ result, start, end }: Moment): string {
  if (result === "no") return "no";
  return result === "match" ? `match ${start}–${end}` : `undecided from ${start}`;
}

function marked(rows: Omit<Row, "mark">[]): Row[] {
  const first = rows.findIndex(({ reference, own }) => reference !== own);
  return rows.map((row, index) => ({
    ...row,
    mark: row.reference === row.own ? "" : index === first ? "first" : "other",
  }));
}
