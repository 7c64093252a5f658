/** Python and the kit in WebAssembly, in the thread that loads it. The calls are those of `api.ts`. */

import type { Answer, Calls, Event, Failure, Message } from "./api.js";
import { Runtime } from "./runtime.js";
import type { Progress } from "./runtime.js";

export type { Progress } from "./runtime.js";

export interface Options {
  /** The folder with the runtime's files. */
  runtime: string | URL;
  onProgress?: (progress: Progress) => void;
}

/** A mistake of the caller, or an error of the reference. Its details are those of SPEC.md, section 10. */
export class AntiphonError extends Error {
  /** In which step: of loading (`load`), of parsing, or in a call that can't be made (`state`). */
  readonly stage: Failure["stage"];
  /** The stable slug (ERROR-1). */
  readonly kind: string;
  /** For errors of loading: JSON Pointer to the place in the template, or in the tools. */
  readonly pointer: string | null;
  /** For errors of parsing: the field in question. */
  readonly field: string | null;
  /** Where the text in question begins, in code points of the generation; negative in the prefix. */
  readonly position: number | null;
  /** The events of the failing call that came before the error. */
  readonly events: Event[];
  /** The message as far as it had been parsed. */
  readonly messageSoFar: Message;

  constructor(readonly failure: Failure) {
    super(failure.message);
    this.name = "AntiphonError";
    this.stage = failure.stage;
    this.kind = failure.kind;
    this.pointer = failure.pointer ?? null;
    this.field = failure.field ?? null;
    this.position = failure.position ?? null;
    this.events = failure.events ?? [];
    this.messageSoFar = failure.message_so_far ?? {};
  }
}

/** What of Pyodide is used here. */
interface Pyodide {
  unpackArchive(archive: Uint8Array, format: string, options: { extractDir: string }): void;
  pyimport(module: string): any;
}

/** The calls that need the suite, which isn't loaded before one of them is made. */
const WITH_SUITE = ["suite", "describe", "requests", "judge", "run", "report"] as const;
type WithSuite = (typeof WITH_SUITE)[number];

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

export class Engine {
  #suite: Promise<void> | undefined;

  private constructor(
    private readonly runtime: Runtime,
    private readonly unpack: (archive: Uint8Array) => void,
    private readonly bridge: (name: string, request: Uint8Array) => Uint8Array,
  ) {}

  /** Throws if the runtime isn't there, or isn't whole. */
  static async load({ runtime: place, onProgress = () => {} }: Options): Promise<Engine> {
    const runtime = await Runtime.open(place, onProgress);
    const python: Pyodide = await runtime.start();
    const site = `/lib/python${runtime.python}/site-packages`;
    const unpack = (archive: Uint8Array) => python.unpackArchive(archive, "zip", { extractDir: site });
    for (const name of runtime.archives) unpack(await runtime.take(name));
    return new Engine(runtime, unpack, python.pyimport("antiphon_web.crossing").call);
  }

  /** Throws AntiphonError. */
  call<Name extends Exclude<keyof Calls, WithSuite>>(
    name: Name,
    request: Calls[Name]["request"],
  ): Calls[Name]["answer"] {
    return this.#call(name, request);
  }

  /** Any call. Rejects with AntiphonError, or because the suite can't be loaded. */
  async ask<Name extends keyof Calls>(name: Name, request: Calls[Name]["request"]): Promise<Calls[Name]["answer"]> {
    if ((WITH_SUITE as readonly string[]).includes(name)) await (this.#suite ??= this.#loadSuite());
    return this.#call(name, request);
  }

  async #loadSuite() {
    try {
      this.unpack(await this.runtime.take(this.runtime.suite));
    } catch (error) {
      this.#suite = undefined; // another call may have more luck
      throw error;
    }
  }

  #call<Name extends keyof Calls>(name: Name, request: Calls[Name]["request"]): Calls[Name]["answer"] {
    const said = this.bridge(name, ENCODER.encode(JSON.stringify(request)));
    const answer = JSON.parse(DECODER.decode(said)) as Answer<Name>;
    if ("error" in answer) throw new AntiphonError(answer.error);
    return answer.ok;
  }
}
