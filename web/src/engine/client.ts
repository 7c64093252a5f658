/**
 * Calls to the reference. Those that wait are kept here: so a call's time is its own, and one that nobody wants any
 * more is never begun.
 *
 * There are two workers, so that what takes long, such as the lint, isn't in the way of what a keystroke asks for. The
 * second one is started when it is first needed. It takes the place of the first, when that is stopped: then the page
 * goes on at once, without a network too.
 */

import type { Calls } from "../../interop/src/api";
import type { Call } from "./stopped";
import { Cancelled, Thread, type Job, type Listener, type State } from "./thread";

export { Stopped } from "./stopped";
export { Cancelled, type State } from "./thread";

export interface ClientOptions {
  /** How long a call may take. */
  seconds?: number;
  /** The calls that are answered by the first worker; all of them, unless told otherwise. */
  first?: readonly Call[];
  /** Is told how far loading is, also after a worker was stopped. */
  onState?: (state: State) => void;
}

export class Client implements Listener {
  readonly seconds: number;
  readonly #isFirst: (job: Job) => boolean;
  readonly #onState: (state: State) => void;
  #queue: Job[] = [];
  #number = 0;
  #first: Thread;
  #second: Thread | undefined;
  /** Whether a second worker couldn't be started: then the first one does all. */
  #alone = false;

  constructor({ seconds = 5, first, onState = () => {} }: ClientOptions = {}) {
    this.seconds = seconds;
    this.#isFirst = ({ name }) => !first || first.includes(name);
    this.#onState = onState;
    this.#first = new Thread(this);
  }

  /** Rejects with AntiphonError, Stopped, or Cancelled. */
  call<Name extends Call>(
    name: Name,
    request: Calls[Name]["request"],
    { seconds = this.seconds, signal }: { seconds?: number; signal?: AbortSignal } = {},
  ): Promise<Calls[Name]["answer"]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ id: ++this.#number, name, request, seconds, signal, resolve, reject });
      this.#next();
    });
  }

  /** Loads the reference anew, after that failed. */
  restart() {
    this.#first.end(new Cancelled("the reference was restarted"));
    this.stopped(this.#first);
  }

  changed(thread: Thread) {
    if (thread === this.#first) this.#onState(thread.state);
    else if (thread.state.phase === "failed") {
      this.#second = undefined;
      this.#alone = true;
    }
    this.#next();
  }

  stopped(thread: Thread) {
    this.#alone = false;
    if (thread === this.#first) {
      this.#first = this.#second?.idle ? this.#second : new Thread(this);
      this.#onState(this.#first.state);
    }
    if (thread === this.#second || this.#first === this.#second) this.#second = undefined;
    this.#next();
  }

  #next() {
    if (this.#first.state.phase !== "ready") return;
    this.#give(this.#first, (job) => this.#alone || this.#isFirst(job));
    if (this.#alone || this.#queue.every(this.#isFirst)) return;
    this.#give((this.#second ??= new Thread(this)), (job) => !this.#isFirst(job));
  }

  #give(thread: Thread, takes: (job: Job) => boolean) {
    while (thread.idle) {
      const at = this.#queue.findIndex(takes);
      if (at < 0) return;
      const [job] = this.#queue.splice(at, 1) as [Job];
      if (job.signal?.aborted) job.reject(new Cancelled(job.name));
      else thread.begin(job);
    }
  }
}
