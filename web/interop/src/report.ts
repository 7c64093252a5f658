/** Reports, as `conformance/schema/report.schema.json` has them; members that nothing here reads are left out. */

/** From the lowest to the highest; each includes those before it (LEVEL-1). */
export const LEVELS = ["message", "events", "prompt"] as const;
export type Level = (typeof LEVELS)[number];

/** Whether a level includes another one. */
export const includes = (level: Level, other: Level) => LEVELS.indexOf(other) <= LEVELS.indexOf(level);

export interface Report {
  report: 1;
  created: string;
  kit: string | null;
  level: Level;
  seed: number;
  filter: string[];
  requires: string[];
  repeat: number;
  shard: { index: number; count: number } | null;
  interrupted: boolean;
  suite: { version: string | null; required: number; optional: number; proposals: number };
  implementations: Implementation[];
}

export interface Implementation {
  adapter: string;
  name: string;
  version: string;
  language: string;
  /** Cases that should have been run, and weren't. */
  missing: number;
  conforms: Level | null;
  cases: CaseResult[];
}

export interface CaseResult {
  id: string;
  description: string;
  clauses: string[];
  required: boolean;
  /** At the level of the report. */
  outcome: "passed" | "failed" | "unsupported";
  /** What it isn't judged for. */
  lacks?: string[];
  runs: number;
  verdicts: { [level in Level]: boolean | null };
  /** In code points of text. */
  lag: { max: number; total: number } | null;
  expected_failure?: true;
  flaky?: { repetition: number; difference: string };
  failures: CaseFailure[];
}

/** The first failure of a case at a level. */
export interface CaseFailure {
  level: Level;
  reason: string;
  /** The first chunking that failed, by its name, and how many did. */
  chunking: string;
  runs: number;
  timeline?: (Row | Gap)[];
  stderr?: string[];
}

/** A row of a timeline: what was due, and what came. */
export interface Row {
  step?: string;
  at?: string;
  chunk?: string;
  due?: string;
  came?: string;
  expected: string | null;
  got: string | null;
  first?: true;
}

/** Rows that are left out. */
export interface Gap {
  left_out: number;
  alike: boolean;
}

/** The failure that counts at a level: that of the lowest level. */
export function failureAt({ failures }: CaseResult, level: Level): CaseFailure | undefined {
  return failures.find((failure) => includes(level, failure.level));
}
