/** What is said of an implementation, and of a case: the words that all reports of the kit share. */

import { failureAt, LEVELS, type CaseFailure, type CaseResult, type Level } from "../../interop/src/report";
import { NOT_STARTED, outcome, startupFailure, type Column } from "./figures";

/** `tone`: whether it conforms; `open`: that can't be told. */
export interface Verdict {
  tone: "good" | "bad" | "open";
  said: string;
  /** What makes the rest doubtful. */
  warnings: string[];
}

/** How a case is marked: a style (`passed`, a level, `lacks`, `absent`), and a word or two. */
export interface State {
  style: string;
  said: string;
}

/** What a reason begins with where nothing came that could be judged. */
const BROKEN = ["timed out", "crashed", "didn't start"];
/** The clause that is broken by what a reason begins with, whatever the case is about. */
const BY_REASON: { [begin: string]: string } = { early: "DUE-2", late: "DUE-3" };
/** The clause that is broken where the result depends on the chunks. */
const CHUNKS = "EVENT-4";

export function ofImplementation(column: Column, level: Level, interrupted: boolean): Verdict {
  const broken = startupFailure(column.implementation);
  if (broken) return { tone: "bad", said: broken.reason, warnings: [] };
  return { ...said(column, level, interrupted), warnings: [...warnings(column)] };
}

function said({ figures, conforms }: Column, level: Level, interrupted: boolean): Pick<Verdict, "tone" | "said"> {
  const { passed, failed } = figures.tallies[level];
  if (failed) {
    const lower = conforms ? `; it conforms at level ${conforms}` : "";
    const fails = `${failed} of ${passed + failed} required cases fail${failed === 1 ? "s" : ""}`;
    return { tone: "bad", said: `does not conform at level ${level}: ${fails}${lower}` };
  }
  if (!passed) return { tone: "open", said: "nothing to judge" };
  if (conforms && !interrupted) return { tone: "good", said: `conforms at level ${conforms}: ${allPass(passed)}` };
  return { tone: "open", said: allPass(passed, " run so far") };
}

function allPass(count: number, which = ""): string {
  return count === 1 ? `the one required case${which} passes` : `all ${count} required cases${which} pass`;
}

function* warnings({ implementation: { missing, cases } }: Column): Generator<string> {
  if (missing) yield missing === 1 ? "1 case wasn't run" : `${missing} cases weren't run`;
  const flaky = cases.filter((one) => one.flaky).length;
  if (flaky) yield `${flaky} flaky: they differ when they are run again`;
}

/** The parts of an implementation's bar: style, word, number of required cases. */
export function parts({ required }: Column): { style: string; said: string; count: number }[] {
  const count = (wanted: (found: CaseResult) => boolean) => required.filter(wanted).length;
  const failing = (level: Level) => (found: CaseResult) => !found.lacks && found.failures[0]?.level === level;
  return [
    { style: "passed", said: "right and prompt", count: count((found) => !found.lacks && !found.failures.length) },
    { style: "prompt", said: "late", count: count(failing("prompt")) },
    { style: "events", said: "wrong events", count: count(failing("events")) },
    { style: "message", said: "wrong message", count: count(failing("message")) },
    { style: "lacks", said: "not judged", count: count((found) => found.lacks !== undefined) },
  ].filter(({ count }) => count);
}

export function ofCase(found: CaseResult | null, level: Level): State {
  const how = outcome(found, level);
  if (found === null || how === "absent") return { style: "absent", said: "not run" };
  if (how === "lacks") return { style: "lacks", said: "lacks a feature" };
  const flaky = found.flaky ? ", flaky" : "";
  if (how === "passes") return { style: "passed", said: `✓ passes${flaky}` };
  const failure = failureAt(found, level)!;
  return { style: failure.level, said: `✗ ${kind(failure)}${found.expected_failure ? ", expected" : ""}${flaky}` };
}

/** What kind of failure it is, in a word or two. */
function kind({ reason, level }: CaseFailure): string {
  return BROKEN.find((begin) => reason.startsWith(begin)) ?? (level === "prompt" ? "late" : level);
}

/** The verdict at each level by itself. */
export function byLevel({ verdicts }: CaseResult): (State & { level: Level })[] {
  return LEVELS.map((level) => {
    if (verdicts[level] === null) return { level, style: "absent", said: "not judged" };
    if (verdicts[level]) return { level, style: "passed", said: "✓ right" };
    return { level, style: level, said: level === "prompt" ? "✗ late" : "✗ wrong" };
  });
}

/** Whether a failure shows that a result depends on the chunks: in one piece, which is run first, it was right. */
export const dependsOnChunks = ({ chunking, reason }: CaseFailure) =>
  !["whole", NOT_STARTED].includes(chunking) && !Object.keys(BY_REASON).some((begin) => reason.startsWith(begin));

/** The clauses that are broken by the way in which a case fails, apart from those that it is about. */
export function broken(failure: CaseFailure): string[] {
  const byReason = BY_REASON[failure.reason.split(":", 1)[0]];
  return [...(byReason ? [byReason] : []), ...(dependsOnChunks(failure) ? [CHUNKS] : [])];
}

/** In front of what was tested in a page: no command line has that. */
export const HERE = "in the browser: ";

/** What shows a failing case on a terminal; null if nothing there can run the implementation. */
export function command({ id, failures: [failure] }: CaseResult, adapter: string): string | null {
  if (adapter.startsWith(HERE)) return null;
  const { chunking } = failure;
  const option =
    chunking === NOT_STARTED ? "" : ` --chunking ${/^[a-z]+$/.test(chunking) ? chunking : `"${chunking}"`}`;
  const named = /^[\w.=-]+$/.test(adapter) ? adapter : `'${adapter.replaceAll("'", "'\\''")}'`;
  return `antiphon conformance explain ${id} --adapter ${named}${option}`;
}
