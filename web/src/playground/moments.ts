/** What a trace knows of a moment: the events up to there, what is held, the message. */

import type { Failure, Hold, Json, Message, TimedEvent, Trace } from "../../interop/src/api";
import { Text } from "../text";
import type { Parsed } from "./answers.svelte";

/** A line of the event list. A region's chunks are one line, whose text grows. */
export interface Line {
  type: "open" | "chunk" | "close" | "malformed" | "error";
  field: string | null;
  /** The moments at which it's due; null: not known yet. */
  first: number | null;
  last: number | null;
  /** Of a chunk or a malformed region: the text, as far as it has been emitted. */
  text: string;
  dirty: boolean;
  /** JSON, of a close. */
  value: Json;
  kind: string;
  failure: Failure | null;
}

const BLANK = { text: "", dirty: false, value: null, kind: "", failure: null };

/** The part of a chunk that has been emitted at this moment. */
function emitted({ event, first, last }: TimedEvent, moment: number): string {
  const text = event.type === "region_chunk" ? event.text : "";
  if (moment >= last) return text;
  return new Text(text).slice(0, moment - first + 1);
}

/** The events emitted at this moment, chunks merged. */
export function linesAt(trace: Trace, moment: number): Line[] {
  const lines: Line[] = [];
  for (const timed of trace.events) {
    if (timed.first > moment) break;
    add(lines, lineOf(timed, moment));
  }
  if (trace.error && trace.error.at <= moment) lines.push(errorLine(trace.error, trace.error.at));
  return lines;
}

/** All events of a stream that isn't traced up to its end yet: with the moments of those that are. */
export function linesOfAll(parsed: Parsed, trace: Trace | null): Line[] {
  const lines: Line[] = [];
  for (const event of [...parsed.initial, ...parsed.feeds.flat(), ...parsed.final])
    add(lines, { ...lineOf({ event, first: 0, last: 0 }, 0), first: null, last: null });
  if (parsed.error) lines.push(errorLine(parsed.error, null));
  const known = trace ? linesAt(trace, trace.reached).slice(0, -1) : [];
  return lines.map((line, index) => known[index] ?? line);
}

function add(lines: Line[], line: Line) {
  const previous = lines.at(-1);
  if (line.type === "chunk" && previous?.type === "chunk")
    lines[lines.length - 1] = { ...previous, text: previous.text + line.text, last: line.last };
  else lines.push(line);
}

function lineOf(timed: TimedEvent, moment: number): Line {
  const { event, first } = timed;
  const common = { ...BLANK, field: event.field, first, last: Math.min(timed.last, moment) };
  switch (event.type) {
    case "region_open":
      return { ...common, type: "open" };
    case "region_chunk":
      return { ...common, type: "chunk", text: emitted(timed, moment), dirty: event.dirty };
    case "region_close":
      return { ...common, type: "close", value: event.value };
    case "region_malformed":
      return { ...common, type: "malformed", text: event.text, kind: event.kind };
  }
}

function errorLine(failure: Failure, at: number | null): Line {
  return { ...BLANK, type: "error", field: failure.field ?? null, first: at, last: at, kind: failure.kind, failure };
}

/** What is held at this moment, if anything is. */
export function holdAt(trace: Trace, moment: number): Hold | null {
  return trace.holds.find((hold) => hold.first <= moment && moment <= hold.last) ?? null;
}

/** The message of the regions closed so far, and the one before it, to show what changed. Null: it isn't told. */
export function messageAt(trace: Trace, moment: number): { message: Message | null; before: Message | null } {
  let index = -1;
  for (const [number, { at }] of trace.messages.entries()) if (at <= moment) index = number;
  if (index < 0) return { message: {}, before: null };
  return { message: trace.messages[index]!.message, before: trace.messages[index - 1]?.message ?? null };
}

/** The region that is open at the end of these events, with its text so far. */
export function openRegion(lines: Line[]): { field: string; text: string } | null {
  const last = lines.at(-1);
  if (!last?.field || (last.type !== "open" && last.type !== "chunk")) return null;
  return { field: last.field, text: last.text };
}

/** What a moment is called. */
export function momentName(moment: number, length: number): string {
  if (moment <= 0) return "prefix";
  return moment > length ? "end" : String(moment);
}

/** The moments of a line: `3`, `3–8`, `end`. */
export function momentsName({ first, last }: Line, length: number): string {
  if (first === null || last === null) return "…";
  const [from, to] = [momentName(first, length), momentName(last, length)];
  return from === to ? from : `${from}–${to}`;
}
