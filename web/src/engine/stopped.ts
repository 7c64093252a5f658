/** An answer that took too long: what was asked, why that may be, and what to do. */

import type { Calls } from "../../interop/src/api";

export type Call = keyof Calls;

const PATTERNS = "this text with this template takes too long; shorten the text, or rewrite patterns with nested loops";
const SUITE = "try again, and close other programs if it's the same then";
const REPORT = "that takes too long; run fewer cases (Cases, above) at a time";

/** What is said after the time. */
const REMEDIES: { [name in Call]?: string } = {
  parse: PATTERNS,
  trace: PATTERNS,
  cuts: "a single cut takes that long; shorten the text, or rewrite patterns with nested loops",
  check: "the template has too much to be looked at; take fields out, or use `antiphon lint`, which has no limit",
  case: "making the case takes too long; shorten the text",
  open: "the file is too large to be read here; take out what isn't needed",
  write_config: "the file is too large to be read here; take out what isn't needed",
  translations: "one pattern takes that long; shorten it, or use `antiphon translate`, which has no limit",
  derive: "the chat template takes that long, perhaps for ever; look at its loops",
  round_trip: "the chat template, or a pattern, takes that long; look at loops in both",
  search: "on this text the pattern takes very many steps; take a shorter text, or rewrite its nested loops",
  versions: `Python doesn't answer; ${SUITE}`,
  suite: `the suite isn't there yet; ${SUITE}`,
  describe: `the suite isn't there yet; ${SUITE}`,
  requests: `the case isn't ready yet; ${SUITE}`,
  judge: REPORT,
  run: REPORT,
  report: REPORT,
};

/** An answer took too long, and who was to give it was stopped. */
export class Stopped extends Error {
  constructor(
    readonly call: Call,
    readonly seconds: number,
  ) {
    super(`stopped after ${seconds} s: ${REMEDIES[call] ?? "that takes too long; ask for less at once"}`);
  }
}
