/** Report documents, as schema/report.schema.json has them: what the kit made or checked. */

import type { Level } from "../../interop/src/api";

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
  missing: number;
  cases: Case[];
}

export interface Case {
  id: string;
  description: string;
  clauses: string[];
  required: boolean;
  lacks?: string[];
  runs: number;
  verdicts: { [level in Level]: boolean | null };
  /** In code points of text. */
  lag: { max: number; total: number } | null;
  expected_failure?: true;
  flaky?: { repetition: number; difference: string };
  failures: Failure[];
}

export interface Failure {
  level: Level;
  reason: string;
  chunking: string;
  runs: number;
  timeline?: (Row | Gap)[];
  stderr?: string[];
}

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

export interface Gap {
  left_out: number;
  alike: boolean;
}

export const LEVELS: Level[] = ["message", "events", "prompt"];

/** The chunking of a failure before any run. */
export const NOT_STARTED = "none";

/** Whether a level includes another one (LEVEL-1). */
export const includes = (level: Level, other: Level) => LEVELS.indexOf(other) <= LEVELS.indexOf(level);
