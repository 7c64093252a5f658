/** The text in runs that are drawn alike. Positions are code points of the text, in the prefix less than 0. */

import type { Hold, Span, Trace } from "../../interop/src/api";
import type { Text } from "../text";

type Look = "region" | "open" | "close" | "discarded" | "between" | "held" | "ahead" | "unknown";

export interface Run {
  key: string;
  start: number;
  end: number;
  look: Look;
  field: string | null;
  text: string;
  /** A cut is here, before the run. */
  cut: boolean;
  /** The region that an error is about. */
  faulty: boolean;
}

/** A part of stream that a window shows; what lies outside isn't drawn. */
export interface Window {
  from: number;
  to: number;
}

/** So many code points are drawn at most. */
export const DRAWN = 20_000;
/** So many of the prefix's last code points are drawn. */
const TAIL = 160;

/** The window with this moment in it: moved by quarters, so that it rarely moves. */
export function windowAt(moment: number, length: number): Window {
  if (length <= DRAWN) return { from: 0, to: length };
  const quarter = DRAWN / 4;
  const from = Math.max(0, Math.min(Math.floor(moment / quarter) * quarter - 2 * quarter, length - DRAWN));
  return { from, to: from + DRAWN };
}

interface Stretch {
  start: number;
  end: number;
  look: Look;
  field: string | null;
}

/** The stream up to the moment by regions, with what is held; then what lies ahead. */
export function stretchesAt(trace: Trace | null, moment: number, length: number, hold: Hold | null): Stretch[] {
  if (!trace) return [{ start: -Infinity, end: length, look: "unknown", field: null }];
  const known = Math.min(moment, trace.reached, length);
  const free = hold ? Math.min(hold.from, known) : known;
  const stretches = pastOf(trace.spans, free);
  push(stretches, free, known, "held", null);
  push(stretches, known, Math.min(moment, length), "unknown", null);
  push(stretches, Math.max(known, Math.min(moment, length)), length, "ahead", null);
  return stretches;
}

/** The spans up to a position, with what lies between them. */
function pastOf(spans: Span[], end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let reached = -Infinity;
  for (const span of spans) {
    if (span.start >= end) break;
    push(stretches, reached, span.start, "between", null);
    push(stretches, span.start, Math.min(span.end, end), span.kind, span.field);
    reached = Math.min(span.end, end);
  }
  push(stretches, reached, end, "between", null);
  return stretches;
}

function push(stretches: Stretch[], start: number, end: number, look: Look, field: string | null) {
  if (start < end) stretches.push({ start, end, look, field });
}

/** What is drawn: the prefix's tail, and the window's part of the text, in runs divided at the cuts. */
export function runsOf(
  prefix: Text,
  text: Text,
  stretches: Stretch[],
  { from, to }: Window,
  cuts: number[],
  faultAt: number | null,
): Run[] {
  const tail = from === 0 ? -Math.min(prefix.length, TAIL) : from;
  const runs: Run[] = [];
  for (const { start, end, look, field } of stretches) {
    const stop = Math.min(end, to);
    const bounds = [Math.max(start, tail), ...within(cuts, Math.max(start, from), stop), stop];
    if (bounds[0]! < 0 && end > 0) bounds.splice(1, 0, 0);
    for (const [index, first] of bounds.slice(0, -1).entries()) {
      const last = bounds[index + 1]!;
      if (first >= last) continue;
      const drawn = first < 0 ? prefix.slice(prefix.length + first, prefix.length + last) : text.slice(first, last);
      const faulty = faultAt !== null && start <= faultAt && faultAt < end && look !== "ahead";
      runs.push({ key: `${first}`, start: first, end: last, look, field, text: drawn, cut: has(cuts, first), faulty });
    }
  }
  return runs;
}

/** The runs, those that were there before as the same objects: what didn't change isn't drawn again. */
export function reusing(before: Run[], runs: Run[]): Run[] {
  const known = new Map(before.map((run) => [run.key, run]));
  return runs.map((run) => {
    const old = known.get(run.key);
    return old && alike(old, run) ? old : run;
  });
}

function alike(one: Run, other: Run): boolean {
  return (Object.keys(one) as (keyof Run)[]).every((key) => one[key] === other[key]);
}

/** The cuts between two positions, both exclusive. */
function within(cuts: number[], start: number, end: number): number[] {
  const from = lowerBound(cuts, start + 1);
  return cuts.slice(from, lowerBound(cuts, end));
}

function has(cuts: number[], position: number): boolean {
  return cuts[lowerBound(cuts, position)] === position;
}

function lowerBound(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
