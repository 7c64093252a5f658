/**
 * An implementation that runs beside the page, in a worker that can be ended at any time: what a process is to the
 * command line. One request at a time, each with a time limit; errors have the words that reports have for them.
 */

import type { Json } from "../../../interop/src/api";
import { isDeeper } from "../depth";
import type { FromWorker } from "./messages";

/** Where it runs. */
export interface Place {
  /** Starts it. `heard` is called for each message; the first one says whether it was loaded. */
  open(heard: (message: FromWorker) => void): Connection;
  /** Ends whatever is there. It can be opened again. */
  dispose(): void;
}

interface Connection {
  ask(request: string): void;
  close(): void;
}

const DEEPEST = 900; // levels: the kit reads a hundred more, and an answer is a part of what it's given
const SECONDS_TO_START = 10; // for loading, and for hello

export class Process {
  #connection: Connection | undefined;
  #loaded: Promise<unknown> | undefined;
  #hear: ((message: FromWorker) => void) | undefined;
  #unheard: FromWorker | undefined;
  /** Whether the place may be blocked by what was ended there. */
  #spoiled = false;

  constructor(readonly place: Place) {}

  /** Its answer. Rejects if it doesn't start, crashes, says what isn't JSON, or takes longer. */
  async ask(request: Json, seconds: number): Promise<Json> {
    await (this.#loaded ??= this.#start());
    const limit = isHello(request) ? SECONDS_TO_START : seconds;
    const said = this.#next(limit, `timed out after ${limit} s`);
    this.#connection?.ask(JSON.stringify(request));
    return parsed(await said);
  }

  /** What is under way is given up; the next request starts it again. */
  restart(): void {
    if (this.#spoiled) this.place.dispose();
    else this.#connection?.close();
    this.#spoiled = false;
    this.#connection = this.#loaded = this.#unheard = undefined;
    this.#hear?.({ fault: "stopped" });
  }

  close(): void {
    this.restart();
    this.place.dispose();
  }

  #start(): Promise<string> {
    const loaded = this.#next(SECONDS_TO_START, `it isn't loaded after ${SECONDS_TO_START} s`);
    const connection = this.place.open((message) => {
      if (connection !== this.#connection) return; // that one has been given up
      if (this.#hear) this.#hear(message);
      else this.#unheard = message;
    });
    this.#connection = connection;
    return loaded;
  }

  /** What it says next; what it said without being asked counts as well. */
  #next(seconds: number, late: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#hear?.({ ended: late }), 1000 * seconds);
      this.#hear = (message) => {
        clearTimeout(timer);
        this.#hear = undefined;
        this.#spoiled = "ended" in message;
        if ("answer" in message) resolve(message.answer);
        else if ("loaded" in message) resolve("null");
        else reject(new Error("ended" in message ? message.ended : message.fault));
      };
      if (this.#unheard) this.#hear(this.#unheard);
    });
  }
}

function parsed(answer: string): Json {
  if (isDeeper(answer, DEEPEST)) throw new Error("invalid response: it is nested too deeply");
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error("invalid response: it isn't JSON");
  }
}

const isHello = (request: Json) => (request as { type?: Json }).type === "hello";
