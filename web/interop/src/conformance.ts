/** A run of the suite against an implementation in JavaScript. Cases and verdicts come from the calls of `api.ts`. */

import type { Calls, CaseHead, Json } from "./api.js";
import { Outcome } from "./outcome.js";
import { handled, unlessAborted } from "./promises.js";
import type { Hello } from "./protocol.js";
import type { CaseResult, Level, Report } from "./report.js";
import { REQUIRED_ONLY, select } from "./selection.js";
import { inThisThread } from "./thread.js";
import type { Adapter } from "./thread.js";

/** A call of the kit, in this thread or in another one. */
export type CallAsync = <Name extends keyof Calls>(
  name: Name,
  request: Calls[Name]["request"],
) => Calls[Name]["answer"] | Promise<Calls[Name]["answer"]>;

/** An implementation under test, wherever it runs. */
export interface Implementation {
  /**
   * The answer to a message of the protocol. Rejects if there is none within so many seconds, or no JSON, and says so.
   */
  ask(request: Json, seconds: number): Promise<Json>;
  /** After a rejection: begin afresh. */
  restart(): void | Promise<void>;
}

/** Where a run is: `done` of `total` cases. */
export interface Position {
  done: number;
  total: number;
}

export interface RunOptions {
  /** Globs for ids and clauses, as those of `--filter`: any that fits chooses a case, any with `!` leaves it out. */
  filter?: string | string[];
  /** Leave out `optional/` and `proposals/`. Default: true. */
  requiredOnly?: boolean;
  /** What counts as a failure. Default: events. */
  level?: Level;
  /** What the random chunkings are made from. Default: 0. */
  seed?: number;
  /** How long a run may take. Default: 5. */
  seconds?: number;
  /** How many cases the kit may have under way at once, if its calls go to several threads. Default: 1. */
  atOnce?: number;
  /** Ends the run; the outcome has the cases up to there. */
  signal?: AbortSignal;
  onResult?: (result: CaseResult) => void;
  onProgress?: (position: Position) => void;
}

/** What came of a run. `hello` is null for the reference. */
export interface SuiteRun {
  hello: Hello | null;
  results: CaseResult[];
  interrupted: boolean;
  report: Report;
}

/** How long hello may take, and how often in a row it may fail. */
const STARTUP_SECONDS = 60;
const MOST_FAILED_STARTS = 3;

/**
 * Runs the chosen cases, each in all its chunkings. `adapter`: what the report calls the implementation. Throws what
 * the calls throw, if no case is chosen, or if the implementation doesn't start; what else it does wrong is a result.
 */
export async function runSuite(
  call: CallAsync,
  adapter: string,
  tested: Implementation | "reference",
  options: RunOptions = {},
): Promise<SuiteRun> {
  const wishes = complete(options);
  const { level, seed, seconds, signal, onResult, onProgress } = wishes;
  const filter = [...[wishes.filter].flat(), ...(wishes.requiredOnly ? REQUIRED_ONLY : [])];
  const cases = select((await call("suite", {})).cases, filter);
  const results: CaseResult[] = [];
  const examination = tested === "reference" ? new InPlace(call, wishes) : new Examination(call, tested, wishes);
  onProgress?.({ done: 0, total: cases.length });
  await examination.begin();
  const breathe = breathing();
  try {
    for await (const result of examination.results(cases)) {
      results.push(result);
      onResult?.(result);
      onProgress?.({ done: results.length, total: cases.length });
      await breathe();
      signal?.throwIfAborted();
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  const interrupted = results.length < cases.length;
  const { hello } = examination;
  const asked = cases.map(({ id }) => id);
  const report = await call("report", { adapter, hello, seed, level, filter, seconds, results, asked, interrupted });
  return { hello, results, interrupted, report };
}

type Wishes = ReturnType<typeof complete>;

/** The options, with those that were left out. */
function complete(options: RunOptions) {
  const { filter = [], requiredOnly = true, level = "events", seed = 0, seconds = 5, atOnce = 1, ...rest } = options;
  return { filter, requiredOnly, level, seed, seconds, atOnce, ...rest };
}

/** The reference, which is run where the kit is. */
class InPlace {
  readonly hello = null;

  constructor(
    private readonly call: CallAsync,
    private readonly wishes: Wishes,
  ) {}

  begin() {}

  results(cases: CaseHead[]): AsyncGenerator<CaseResult> {
    return ahead(cases, async ({ id }) => this.call("run", { case: id, seed: this.wishes.seed }), this.wishes.atOnce);
  }
}

type Requests = Calls["requests"]["answer"]["requests"];
interface Prepared {
  head: CaseHead;
  number: number;
  requests: Requests;
}
interface Answered {
  head: CaseHead;
  number: number;
  answers: Json[];
  failure: string | null;
}

/**
 * An implementation gets case after case. While it answers, the kit judges cases before, and prepares those to come: so
 * several threads have work, if there are several.
 */
class Examination {
  hello: Hello = undefined!; // `begin` sets it
  /** Why it doesn't start any more. */
  #dead: string | null = null;
  #number = 1;

  constructor(
    private readonly call: CallAsync,
    private readonly tested: Implementation,
    private readonly wishes: Wishes,
  ) {}

  async begin() {
    await this.#greet();
    if (this.#dead !== null) throw new Error(`the implementation doesn't answer hello: ${this.#dead}`);
  }

  results(cases: CaseHead[]): AsyncGenerator<CaseResult> {
    const prepared = ahead(cases, (head) => this.#prepare(head), this.wishes.atOnce);
    return ahead(this.#answered(prepared), (answered) => this.#judge(answered), this.wishes.atOnce);
  }

  async *#answered(prepared: AsyncIterable<Prepared>): AsyncGenerator<Answered> {
    for await (const { head, number, requests } of prepared) {
      const { answers, failure } = await this.#answers(requests);
      yield { head, number, answers, failure };
      if (failure !== null && this.#dead === null) await this.#revive();
    }
  }

  async #prepare(head: CaseHead): Promise<Prepared> {
    const number = this.#number;
    this.#number += head.runs;
    const { seed } = this.wishes;
    const { requests } = await this.call("requests", { case: head.id, hello: this.hello, seed, number });
    return { head, number, requests };
  }

  async #judge({ head, ...answered }: Answered): Promise<CaseResult> {
    return this.call("judge", { case: head.id, hello: this.hello, seed: this.wishes.seed, ...answered });
  }

  /** The answers up to a failure: after one the others would most likely fail, and cost, the same. */
  async #answers(requests: Requests): Promise<{ answers: Json[]; failure: string | null }> {
    const answers: Json[] = [];
    if (this.#dead !== null) return { answers, failure: requests.length ? this.#dead : null };
    for (const request of requests) {
      const answer = await this.#ask(request, this.wishes.seconds);
      if ("failure" in answer) return { answers, failure: answer.failure };
      answers.push(answer.ok);
    }
    return { answers, failure: null };
  }

  async #ask(request: Json, seconds: number): Promise<{ ok: Json } | { failure: string }> {
    try {
      return { ok: await unlessAborted(this.tested.ask(request, seconds), this.wishes.signal) };
    } catch (error) {
      this.wishes.signal?.throwIfAborted();
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async #revive() {
    await this.tested.restart();
    await this.#greet();
  }

  async #greet() {
    for (let start = 1; start <= MOST_FAILED_STARTS; start++) {
      const answer = await this.#ask({ type: "hello", protocol: 1 }, Math.max(STARTUP_SECONDS, this.wishes.seconds));
      if ("ok" in answer) {
        this.hello ??= answer.ok as Hello;
        this.#dead = null;
        return;
      }
      this.#dead = `didn't start: ${answer.failure}`;
      if (start < MOST_FAILED_STARTS) await this.tested.restart();
    }
  }
}

/** What is made of items, in their order; `atOnce` are being made while what was made last is used. */
async function* ahead<Item, Made>(
  items: Iterable<Item> | AsyncIterable<Item>,
  make: (item: Item) => Promise<Made>,
  atOnce: number,
): AsyncGenerator<Made> {
  const making: Promise<Made>[] = [];
  for await (const item of items) {
    making.push(handled(make(item)));
    if (making.length > atOnce) yield making.shift()!;
  }
  for (const made of making) yield made;
}

/** A function to be awaited now and then: it lets others have the thread after 50 ms. */
function breathing(): () => Promise<void> {
  let begin = performance.now();
  return async () => {
    if (performance.now() - begin < 50) return;
    await new Promise((resolve) => setTimeout(resolve));
    begin = performance.now();
  };
}

/** Runs the suite against an implementation in this thread. Throws as `runSuite` does. */
export async function runConformance(call: CallAsync, adapter: Adapter, options: RunOptions = {}): Promise<Outcome> {
  return new Outcome(complete(options).level, await runSuite(call, "JavaScript", inThisThread(adapter), options));
}
