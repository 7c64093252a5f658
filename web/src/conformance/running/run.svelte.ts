/** The run under way: what is tested, how far it is, and what came of it so far. There is one at a time. */

import { runSuite, type Implementation as Tested, type RunOptions } from "../../../interop/src/conformance";
import type { CaseResult, Report } from "../../../interop/src/report";
import { reasonOf } from "../../shown";
import { pool } from "./pool";
import { Process } from "./process";
import { port } from "./port";
import { Sandbox } from "./sandbox/connect";
import type { Origin } from "./messages";

/** What can be tested. `name`: what the report calls it. */
export type Subject = "reference" | "javascript" | { name: string; origin: Origin };

export type Wishes = Pick<RunOptions, "level" | "seed" | "seconds"> & { filter: string[]; requiredOnly: boolean };

/** How often what is shown follows the run: all counts are made anew each time. */
const MILLISECONDS = 400;

class Run {
  phase = $state<"none" | "starting" | "running" | "stopping">("none");
  name = $state("");
  done = $state(0);
  total = $state(0);
  /** Seconds since the first case began. */
  seconds = $state(0);
  /** The results so far. */
  results = $state.raw<CaseResult[]>([]);
  /** Why the last run didn't come to a report. */
  fault = $state("");
  #stop = new AbortController();

  /** The report; null if there is none, and `fault` says why. */
  async start(subject: Subject, wishes: Wishes): Promise<Report | null> {
    this.#begin(nameOf(subject));
    const tested = testedOf(subject);
    try {
      const { report } = await runSuite(pool.call, this.name, tested, {
        ...wishes,
        ...this.#following(),
        signal: this.#stop.signal,
      });
      return report;
    } catch (error) {
      this.fault = this.#stop.signal.aborted ? "stopped before the first case" : reasonOf(error);
      return null;
    } finally {
      if (tested instanceof Process) tested.close();
      this.phase = "none";
      this.results = [];
    }
  }

  stop() {
    this.phase = "stopping";
    this.#stop.abort();
  }

  #begin(name: string) {
    this.#stop = new AbortController();
    this.name = name;
    this.phase = "starting";
    this.done = this.total = this.seconds = 0;
    this.results = [];
    this.fault = "";
  }

  #following(): Pick<RunOptions, "onResult" | "onProgress"> & { atOnce: number } {
    const results: CaseResult[] = [];
    let begin = 0;
    let shown = 0;
    return {
      atOnce: 2 * pool.size, // so that no worker waits for the page
      onResult: (result) => void results.push(result),
      onProgress: ({ done, total }) => {
        const now = performance.now();
        if (total && !begin) begin = now;
        if (done > 0 && done < total && now - shown < MILLISECONDS) return;
        shown = now;
        if (this.phase === "starting") this.phase = "running";
        [this.done, this.total, this.seconds, this.results] = [done, total, (now - begin) / 1000, [...results]];
      },
    };
  }
}

function nameOf(subject: Subject): string {
  return typeof subject === "string" ? subject : subject.name;
}

function testedOf(subject: Subject): (Tested & Process) | "reference" {
  if (subject === "reference") return subject;
  return new Process(subject === "javascript" ? port : new Sandbox(subject.origin));
}

export const run = new Run();
