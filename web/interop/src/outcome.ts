/** What a run of the suite comes to, for a program and for people. */

import type { SuiteRun } from "./conformance.js";
import { failureAt, LEVELS } from "./report.js";
import type { CaseFailure, CaseResult, Level, Report } from "./report.js";

export interface Tally {
  passed: number;
  failed: number;
  /** Those that can't be judged for what the implementation lacks. */
  unsupported: number;
}

/** A required case that fails, and what was wrong first. */
export interface Failing extends Omit<CaseFailure, "timeline" | "stderr"> {
  id: string;
  clauses: string[];
}

const MOST_SHOWN = 10;

export class Outcome {
  /**
   * Whether all that was to be run was, at least one required case was judged, and none fails at the level asked for.
   */
  readonly passes: boolean;
  /** The highest level at which no required case of those that were run fails. */
  readonly conforms: Level | null;
  /** The required cases, at each level. */
  readonly tally: { [level in Level]: Tally };
  /** Those that fail at the level asked for. */
  readonly failing: Failing[];
  /** The document that `antiphon conformance run --report` would have written. */
  readonly report: Report;
  readonly #title: string;
  readonly #interrupted: boolean;

  constructor(
    readonly level: Level,
    { hello, results, interrupted, report }: SuiteRun,
  ) {
    const required = results.filter((one) => one.required);
    this.report = report;
    this.conforms = report.implementations[0]!.conforms;
    this.tally = Object.fromEntries(LEVELS.map((one) => [one, tallyOf(required, one)])) as Outcome["tally"];
    this.failing = required.flatMap((one) => failingOf(one, level));
    this.passes = !interrupted && this.failing.length === 0 && this.tally[level].passed > 0;
    this.#title = hello ? `${hello.name} ${hello.version}`.trim() : "the reference";
    this.#interrupted = interrupted;
  }

  /** The failing cases, each with its reason: for the message of a test. */
  toString(): string {
    const { passed, failed, unsupported } = this.tally[this.level];
    const unjudged = unsupported ? `; it lacks something for ${unsupported} more` : "";
    const unfinished = this.#interrupted ? "; the run was interrupted" : "";
    const fails = `fails ${failed} of ${passed + failed} required cases at level ${this.level}`;
    const head = `${this.#title} ${fails}${unjudged}${unfinished}`;
    const shown = this.failing.slice(0, MOST_SHOWN).map(lineOf);
    const left = this.failing.length - shown.length;
    return [head, ...shown, ...(left > 0 ? [`  and ${left} more cases`] : [])].join("\n");
  }
}

function lineOf({ id, clauses, level, reason, chunking, runs }: Failing): string {
  const more = runs > 1 ? ` and ${runs - 1} more` : "";
  return `  ${id} (${clauses.join(", ")})\n    ${level}: ${reason}, in chunking ${chunking}${more}`;
}

function failingOf(result: CaseResult, asked: Level): Failing[] {
  const found = failureAt(result, asked);
  if (!found) return [];
  const { level, reason, chunking, runs } = found;
  return [{ id: result.id, clauses: result.clauses, level, reason, chunking, runs }];
}

function tallyOf(results: CaseResult[], level: Level): Tally {
  const unsupported = results.filter((one) => one.outcome === "unsupported").length;
  const failed = results.filter((one) => failureAt(one, level)).length;
  return { passed: results.length - failed - unsupported, failed, unsupported };
}
