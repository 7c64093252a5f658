/** What a run of the suite comes to, for a program and for people. */

import type { SuiteRun } from "./conformance.js";
import { failureAt, LEVELS } from "./report.js";
import type { CaseFailure, CaseResult, Gap, Level, Report, Row } from "./report.js";

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

/** With these the text has at most 24 lines. */
const MOST_SHOWN = 7;
const ROWS_AROUND = 2;
const LONGEST_PLACE = 28; // units
const LONGEST_LINE = 160; // units

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
  readonly #excerpt: string[];

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
    const first = required.map((one) => failureAt(one, level)).find((failure) => failure);
    this.#excerpt = excerptOf(first?.timeline ?? []);
  }

  /** The failing cases, each with its reason; of the first also what was due and what came: for a test's message. */
  toString(): string {
    const { passed, failed, unsupported } = this.tally[this.level];
    const unjudged = unsupported ? `; it lacks something for ${unsupported} more` : "";
    const unfinished = this.#interrupted ? "; the run was interrupted" : "";
    const fails = `fails ${failed} of ${passed + failed} required cases at level ${this.level}`;
    const head = `${this.#title} ${fails}${unjudged}${unfinished}`;
    const [first, ...others] = this.failing.slice(0, MOST_SHOWN).map(lineOf);
    const left = this.failing.length - MOST_SHOWN;
    const rest = left > 0 ? [...others, `  and ${left} more cases`] : others;
    return (first ? [head, first, ...this.#excerpt, ...rest] : [head]).join("\n");
  }
}

function lineOf({ id, clauses, level, reason, chunking, runs }: Failing): string {
  const more = runs > 1 ? ` and ${runs - 1} more` : "";
  return `  ${id} (${clauses.join(", ")})\n    ${level}: ${reason}, in chunking ${chunking}${more}`;
}

/** The rows around the first that is wrong. */
function excerptOf(timeline: (Row | Gap)[]): string[] {
  const at = timeline.findIndex((row) => "first" in row);
  if (at < 0) return [];
  const around = timeline.slice(Math.max(0, at - ROWS_AROUND), at + ROWS_AROUND + 1);
  const rows = around.filter((row): row is Row => !("left_out" in row));
  const places = rows.map(({ step = "", chunk = "" }) => shortened(`${step} ${chunk}`, LONGEST_PLACE));
  const width = Math.max(...places.map(({ length }) => length));
  return rows.flatMap(({ expected, got }, number) => {
    const place = `      ${places[number]!.padEnd(width)}  `;
    if (expected === got) return [place + shortened(expected!, LONGEST_LINE)];
    return [
      `${place}expected ${shortened(expected ?? "nothing", LONGEST_LINE)}`,
      `${" ".repeat(place.length)}got      ${shortened(got ?? "nothing", LONGEST_LINE)}`,
    ];
  });
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
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
