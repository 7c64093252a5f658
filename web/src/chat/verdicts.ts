/** The verdicts of a round trip: a sign, a word and a colour each. */

import type { TripResult, TripVerdict } from "../../interop/src/api";
import { escaped } from "../shown";

export const SIGNS: { [verdict in TripVerdict]: { sign: string; style: string } } = {
  exact: { sign: "✓", style: "exact" },
  lossy: { sign: "≈", style: "lossy" },
  wrong: { sign: "✗", style: "wrong" },
  "not written": { sign: "–", style: "absent" },
  "not rendered": { sign: "–", style: "absent" },
  "not split": { sign: "–", style: "absent" },
  "not tried": { sign: "–", style: "absent" },
};

/** In a line: what is lost, or why it wasn't parsed. */
export function wordsOf({ error, lost = [], reason = "", only_without: end }: TripResult): string {
  const words = [...(error ? [error] : []), ...lost.map(({ what }) => what)];
  const found = [...new Set(words)].join(", ") || reason;
  return escaped(end ? `${found}; only where ${end} is missing` : found);
}

/** What else is to be known of it. */
export function notesOf({ unwritten = [], notes = [] }: TripResult): string[] {
  return [...notes, ...(unwritten.length ? [`The chat template doesn't write ${unwritten.join(", ")}.`] : [])];
}

/** Those that show most, first. */
const TELLING = ["reasoning, content and calls", "content and a call", "one call", "reasoning and content", "content"];

/** What a playground is to begin with: of what was parsed, the conversation that shows most. */
export function tellingOf(results: TripResult[]): TripResult | undefined {
  const parsed = results.filter(({ text }) => text !== undefined);
  const rank = ({ feature }: TripResult) => (TELLING.indexOf(feature) + 1 || TELLING.length + 1);
  return parsed.sort((one, other) => rank(one) - rank(other))[0];
}
