/** A worker with the reference, from the page's side, and the call that it is busy with. */

import type { Failure } from "../../interop/src/api";
import { AntiphonError, type Progress } from "../../interop/src/engine";
import { Stopped, type Call } from "./stopped";
import type { FromWorker, ToWorker } from "./worker";

/** Nobody wants the answer any more. */
export class Cancelled extends Error {}

export interface State {
  phase: "loading" | "ready" | "failed";
  progress: Progress | null;
  /** Why it failed. */
  reason: string;
}

export interface Job {
  id: number;
  name: Call;
  request: unknown;
  seconds: number;
  signal: AbortSignal | undefined;
  resolve: (answer: any) => void;
  reject: (error: Error) => void;
}

/** What a thread tells about itself. */
export interface Listener {
  /** It is ready for a call, or how far it is from that. */
  changed(thread: Thread): void;
  /** It was stopped, since a call took too long. */
  stopped(thread: Thread): void;
}

export class Thread {
  state: State = { phase: "loading", progress: null, reason: "" };
  #job: Job | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

  constructor(private readonly listener: Listener) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault(); // it's told
      this.#fail(event.message || "its worker couldn't be started");
    };
  }

  /** Whether it can begin a call. */
  get idle(): boolean {
    return this.state.phase === "ready" && !this.#job;
  }

  begin(job: Job) {
    this.#job = job;
    this.#timer = setTimeout(() => {
      this.end(new Stopped(job.name, job.seconds));
      this.listener.stopped(this);
    }, 1000 * job.seconds);
    try {
      this.#worker.postMessage({ id: job.id, name: job.name, request: job.request } satisfies ToWorker);
    } catch (error) {
      this.#finished()?.reject(error as Error); // what can't be sent, such as what is nested too deeply
    }
  }

  /** Ends the worker, and with this error the call under way. */
  end(error: Error) {
    this.#worker.terminate();
    this.#worker.onmessage = this.#worker.onerror = null; // what it still says when it's stopped is no matter
    this.#finished()?.reject(error);
  }

  #finished(): Job | undefined {
    const job = this.#job;
    clearTimeout(this.#timer);
    this.#job = undefined;
    if (!job?.signal?.aborted) return job;
    job.reject(new Cancelled(job.name));
    return undefined;
  }

  #tell(phase: State["phase"], progress: Progress | null = null, reason = "") {
    this.state = { phase, progress, reason };
    this.listener.changed(this);
  }

  #receive(response: FromWorker) {
    if ("progress" in response) {
      // The suite is loaded later, when a call needs it: that doesn't make the reference unusable.
      if (this.state.phase === "loading") this.#tell("loading", response.progress);
    } else if ("failed" in response) this.#fail(response.failed);
    else if ("ready" in response) this.#tell("ready");
    else this.#settle(response);
  }

  #fail(reason: string) {
    this.end(new Error(reason));
    this.#tell("failed", null, reason);
  }

  #settle(response: { id: number; ok: unknown } | { id: number; error: Failure }) {
    if (this.#job?.id !== response.id) return;
    const job = this.#finished();
    if ("error" in response) job?.reject(new AntiphonError(response.error));
    else job?.resolve(response.ok);
    this.listener.changed(this);
  }
}
