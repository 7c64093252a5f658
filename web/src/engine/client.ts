/**
 * The worker, from the page's side. One call is under way at a time, and the others wait here: so a call's time is its
 * own, and one that nobody wants any more is never begun. A worker that exceeds the limit is replaced.
 */

import type { Calls, Failure } from "../../interop/src/api";
import { AntiphonError, type Progress } from "../../interop/src/engine";
import type { FromWorker, ToWorker } from "./worker";

/** An answer took too long, and who was to give it was stopped. */
export class Stopped extends Error {
  constructor(readonly seconds: number) {
    super(`stopped after ${seconds} s`);
  }
}

/** Nobody wants the answer any more. */
export class Cancelled extends Error {}

export interface State {
  phase: "loading" | "ready" | "failed";
  progress: Progress | null;
  /** Why it failed. */
  reason: string;
}

interface Job {
  id: number;
  name: string;
  request: unknown;
  seconds: number;
  signal: AbortSignal | undefined;
  resolve: (answer: any) => void;
  reject: (error: Error) => void;
}

export class Client {
  #worker: Worker | undefined;
  #queue: Job[] = [];
  #current: Job | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #number = 0;
  #state: State = { phase: "loading", progress: null, reason: "" };

  /** `seconds`: how long a call may take. `onState` is told how far loading is, also after a worker was stopped. */
  constructor(
    readonly seconds = 5,
    readonly onState: (state: State) => void = () => {},
  ) {
    this.restart();
  }

  /** Rejects with AntiphonError, Stopped, or Cancelled. */
  call<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]["request"],
    { seconds = this.seconds, signal }: { seconds?: number; signal?: AbortSignal } = {},
  ): Promise<Calls[Name]["answer"]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ id: ++this.#number, name, request, seconds, signal, resolve, reject });
      this.#next();
    });
  }

  /** Ends the call under way, if there is one, with its worker; those that wait are done by the new one. */
  restart(error: Error = new Cancelled("the reference was restarted")) {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    const wanted = !this.#current?.signal?.aborted;
    this.#current?.reject(wanted ? error : new Cancelled(this.#current.name));
    this.#current = undefined;
    this.#tell({ phase: "loading", progress: null, reason: "" });
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => worker === this.#worker && this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault(); // it's told, and what a worker says when it's stopped is no matter
      if (worker === this.#worker) this.#fail(event.message || "the worker couldn't be started");
    };
  }

  #tell(state: State) {
    this.#state = state;
    this.onState(state);
  }

  #receive(response: FromWorker) {
    if ("progress" in response) this.#progress(response.progress);
    else if ("failed" in response) this.#fail(response.failed);
    else if ("ready" in response) {
      this.#tell({ phase: "ready", progress: null, reason: "" });
      this.#next();
    } else this.#settle(response);
  }

  /** The suite is loaded later, when a call needs it: that doesn't make the reference unusable. */
  #progress(progress: Progress) {
    if (this.#state.phase === "loading") this.#tell({ phase: "loading", progress, reason: "" });
  }

  #fail(reason: string) {
    clearTimeout(this.#timer);
    this.#current?.reject(new Error(reason));
    this.#current = undefined;
    this.#tell({ phase: "failed", progress: null, reason });
  }

  #next() {
    if (this.#current || this.#state.phase !== "ready") return;
    const job = this.#queue.shift();
    if (!job) return;
    if (job.signal?.aborted) {
      job.reject(new Cancelled(job.name));
      this.#next();
      return;
    }
    this.#current = job;
    this.#timer = setTimeout(() => this.restart(new Stopped(job.seconds)), 1000 * job.seconds);
    try {
      this.#worker!.postMessage({ id: job.id, name: job.name, request: job.request } satisfies ToWorker);
    } catch (error) {
      this.#refuse(job, error as Error);
    }
  }

  /** What can't be sent, such as what is nested too deeply, is no matter of the worker. */
  #refuse(job: Job, error: Error) {
    clearTimeout(this.#timer);
    this.#current = undefined;
    job.reject(error);
    this.#next();
  }

  #settle(response: { id: number; ok: unknown } | { id: number; error: Failure }) {
    const job = this.#current;
    if (!job || job.id !== response.id) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    if (job.signal?.aborted) job.reject(new Cancelled(job.name));
    else if ("error" in response) job.reject(new AntiphonError(response.error));
    else job.resolve(response.ok);
    this.#next();
  }
}
