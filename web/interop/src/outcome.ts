/** What a run of the suite comes to, for a program and for people. */

import type { CaseResult, Level, Report } from "./api.js";
import type { SuiteRun } from "./conformance.js";

export interface Tally {
  passed: number;
  failed: number;
  /** Those that can't be judged for what the implementation lacks. */
  unsupported: number;
}

/** A required case that fails, and what was wrong first. */
export interface Failing {
  id: string;
  clauses: string[];
  level: Level;
  reason: string;
  /** The first chunking that failed, by its name, and how many did. */
  chunking: string;
  runs: number;
}

const LEVELS: Level[] = ["message", "events", "prompt"];
const MOST_SHOWN = 10;

export class Outcome {
  /** Whether all that was to be run was, at least one required case was judged, and none fails at the level asked for. */
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
    const [implementation] = report.implementations as [{ conforms: Level | null }];
    this.report = report;
    this.conforms = implementation.conforms;
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
    const head = `${this.#title} fails ${failed} of ${passed + failed} required cases at level ${this.level}${unjudged}${unfinished}`;
    const shown = this.failing.slice(0, MOST_SHOWN).map(
      ({ id, clauses, level, reason, chunking, runs }) =>
        `  ${id} (${clauses.join(", ")})\n    ${level}: ${reason}, in chunking ${chunking}${runs > 1 ? ` and ${runs - 1} more` : ""}`,
    );
    const left = this.failing.length - shown.length;
    return [head, ...shown, ...(left > 0 ? [`  and ${left} more cases`] : [])].join("\n");
  }
}

interface Failure {
  level: Level;
  reason: string;
  chunking: string;
  runs: number;
}

/** The failure that counts at a level: that of the lowest level. */
function failureAt(result: CaseResult, level: Level): Failure | undefined {
  const included = LEVELS.slice(0, LEVELS.indexOf(level) + 1);
  return (result.failures as unknown as Failure[]).find((failure) => included.includes(failure.level));
}

function failingOf(result: CaseResult, asked: Level): Failing[] {
  const found = failureAt(result, asked);
  if (!found) return [];
  const { level, reason, chunking, runs } = found;
  return [{ id: result.id, clauses: result.clauses as string[], level, reason, chunking, runs }];
}

function tallyOf(results: CaseResult[], level: Level): Tally {
  const unsupported = results.filter((one) => one.outcome === "unsupported").length;
  const failed = results.filter((one) => failureAt(one, level)).length;
  return { passed: results.length - failed - unsupported, failed, unsupported };
}
