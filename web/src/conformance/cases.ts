/** The cases of several implementations in one list, and which of them are wanted. */

import type { CaseResult, Level } from "../../interop/src/report";
import { outcome, topicOf, type Column } from "./figures";

/** A case in each implementation; null where it wasn't run. */
export interface Entry {
  id: string;
  topic: string;
  about: string;
  clauses: string[];
  required: boolean;
  sides: (CaseResult | null)[];
  /** What a search looks at, in lower case. */
  words: string;
}

/** "" stands for all. */
export interface Filter {
  search: string;
  topic: string;
  /** The number of an implementation. */
  side: string;
  outcome: "" | "fails" | "passes" | "lacks" | "unexpected" | "flaky";
  level: Level;
  clause: string;
  differences: boolean;
}

/** Required ones first, then by their ids. */
export function entries(columns: Column[]): Entry[] {
  const found = new Map<string, Entry>();
  columns.forEach(({ implementation }, side) => {
    for (const one of implementation.cases) {
      if (!found.has(one.id)) found.set(one.id, entry(one, columns.length));
      found.get(one.id)!.sides[side] = one;
    }
  });
  return [...found.values()].sort(inOrder);
}

function entry({ id, description, clauses, required }: CaseResult, sides: number): Entry {
  const words = `${id} ${description} ${clauses.join(" ")}`.toLowerCase();
  return { id, topic: topicOf(id), about: description, clauses, required, sides: Array(sides).fill(null), words };
}

function inOrder(one: Entry, other: Entry): number {
  return Number(other.required) - Number(one.required) || (one.id < other.id ? -1 : 1);
}

export function wanted(entries: Entry[], filter: Filter): Entry[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (one) =>
      (!filter.topic || one.topic === filter.topic) &&
      (!filter.clause || one.clauses.includes(filter.clause)) &&
      words.every((word) => one.words.includes(word)) &&
      hasOutcome(one, filter) &&
      (!filter.differences || differs(one, filter.level)),
  );
}

function hasOutcome({ sides }: Entry, { side, outcome: wished, level }: Filter): boolean {
  const looked = side === "" ? sides : [sides[Number(side)] ?? null];
  if (wished) return looked.some((found) => is(found, wished, level));
  return looked.some((found) => found !== null);
}

function is(found: CaseResult | null, wished: Exclude<Filter["outcome"], "">, level: Level): boolean {
  if (wished === "flaky") return found?.flaky !== undefined;
  if (wished === "unexpected") return outcome(found, level) === "fails" && !found?.expected_failure;
  return outcome(found, level) === wished;
}

const differs = ({ sides }: Entry, level: Level) => new Set(sides.map((found) => outcome(found, level))).size > 1;
