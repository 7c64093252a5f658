/**
 * What reports come to: outcomes, tallies at each level, lag; over all cases and by topic. It counts as the kit does.
 */

import {
  failureAt,
  LEVELS,
  type CaseFailure,
  type CaseResult,
  type Implementation,
  type Level,
  type Report,
} from "../../interop/src/report";

export interface Tally {
  passed: number;
  failed: number;
  /** Not judged for what the implementation lacks. */
  lacking: number;
}

/** In code points of text; each case by its worst event or code point. */
export interface Lag {
  max: number;
  median: number;
  /** The least that 95 of 100 cases don't exceed. */
  p95: number;
  /** The id of the first case with the greatest lag. */
  worst: string;
}

export interface Figures {
  tallies: { [level in Level]: Tally };
  /** The highest level at which none of the cases fails, if at least one was judged. */
  conforms: Level | null;
  /** null: no case lags, as far as is known. */
  lag: Lag | null;
}

/** An implementation, and what it is called beside others. */
export interface Column {
  title: string;
  implementation: Implementation;
  required: CaseResult[];
  figures: Figures;
  conforms: Level | null;
}

/** A topic in each of several implementations; null where one wasn't run with it. */
export interface Topic {
  name: string;
  size: number;
  sides: (Figures | null)[];
}

/** The chunking of a failure before any run. */
export const NOT_STARTED = "none";

export type Outcome = "passes" | "fails" | "lacks" | "absent";

export const topicOf = (id: string) => id.split("/", 1)[0];

export function outcome(found: CaseResult | null, level: Level): Outcome {
  if (found === null) return "absent";
  if (found.lacks) return "lacks";
  return failureAt(found, level) ? "fails" : "passes";
}

export function figures(cases: CaseResult[]): Figures {
  const tallies = Object.fromEntries(LEVELS.map((level) => [level, tally(cases, level)])) as Figures["tallies"];
  const reached = LEVELS.filter((level) => tallies[level].passed && !tallies[level].failed);
  return { tallies, conforms: reached.at(-1) ?? null, lag: lag(cases) };
}

function tally(cases: CaseResult[], level: Level): Tally {
  const found: Tally = { passed: 0, failed: 0, lacking: 0 };
  for (const one of cases) {
    const how = outcome(one, level);
    found[how === "passes" ? "passed" : how === "fails" ? "failed" : "lacking"]++;
  }
  return found;
}

function lag(cases: CaseResult[]): Lag | null {
  const known = cases.filter((one) => one.lag);
  const lags = known.map((one) => one.lag!.max).sort((one, other) => one - other);
  const max = lags.at(-1);
  if (!max) return null;
  return {
    max,
    median: lags[Math.floor((lags.length - 1) / 2)],
    p95: lags[Math.ceil(0.95 * lags.length) - 1],
    worst: known.find((one) => one.lag!.max === max)!.id,
  };
}

/** All implementations of reports. Two of one name and version are told apart by their adapters, or else by numbers. */
export function columns(reports: Report[]): Column[] {
  const found = reports.flatMap((report) => report.implementations);
  const names = found.map(({ name, version }) => `${name} ${version}`.trim());
  const titles = apart(names, (index) => found[index].adapter);
  return found.map((implementation, index) => columnOf(titles[index], implementation));
}

export function columnOf(title: string, implementation: Implementation): Column {
  const required = implementation.cases.filter((one) => one.required);
  const found = figures(required);
  return { title, implementation, required, figures: found, conforms: implementation.missing ? null : found.conforms };
}

function apart(names: string[], more: (index: number) => string): string[] {
  const longer = names.map((name, index) => (occurs(names, name) > 1 ? `${name} (${more(index)})` : name));
  return longer.map((name, index) =>
    occurs(longer, name) > 1 ? `${name} #${occurs(longer.slice(0, index + 1), name)}` : name,
  );
}

const occurs = (names: string[], name: string) => names.filter((other) => other === name).length;

/** The topics of any implementation, in the order of their names; `sides`: the cases of each. */
export function topics(sides: CaseResult[][]): Topic[] {
  const found = new Map<string, CaseResult[][]>();
  sides.forEach((cases, side) => {
    for (const one of cases) {
      const name = topicOf(one.id);
      const some: CaseResult[][] = found.get(name) ?? sides.map(() => []);
      found.set(name, some);
      some[side].push(one);
    }
  });
  return [...found].sort(byName).map(([name, some]) => ({
    name,
    size: Math.max(...some.map((cases) => cases.length)),
    sides: some.map((cases) => (cases.length ? figures(cases) : null)),
  }));
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** Why an implementation never told who it is; undefined if it did. */
export function startupFailure({ cases }: Implementation): CaseFailure | undefined {
  const never = cases.length > 0 && cases.every((one) => one.failures[0]?.chunking === NOT_STARTED);
  return never ? cases[0].failures[0] : undefined;
}
