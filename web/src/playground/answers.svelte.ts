/**
 * What the reference makes of the stream in the editors, kept up to date: as many moments as are known at once, and if
 * that isn't all, the result; then the other moments, slice by slice. Newer input cancels what is under way.
 */

import { tick } from "svelte";
import type { Calls, Problem, Stream, Trace } from "../../interop/src/api";
import { AntiphonError } from "../../interop/src/engine";
import { Cancelled, Stopped, type Client } from "../engine/client";
import { reasonOf } from "../shown";
import type { Reference } from "../state.svelte";
import { Text } from "../text";
import { answered } from "./keystroke";
import { troubleOf } from "./trouble";

export type Parsed = Calls["parse"]["answer"];

/** Milliseconds: when the last answer took longer, the next is asked for when there's a pause in typing. */
const SLOW = 1000;
const PAUSE = 300;
/** The lint takes longer than an answer, and would be in the way of the next keystroke: it waits for a longer pause. */
const LINT_PAUSE = 600;
/** Milliseconds of the first slice of a trace, and of the others. */
const FIRST = 15;
const SLICE = 70;
/** After so many milliseconds without an answer it is said that one is awaited. */
const PATIENCE = 200;

/** A stream with what is known of it. `parsed`: the result, if the trace doesn't know it yet. */
export interface Shown {
  prefix: Text;
  text: Text;
  parsed: Parsed | null;
  trace: Trace | null;
  /** Why there is a result only, and no trace. */
  untraced: string;
}

const EMPTY: Shown = { prefix: new Text(""), text: new Text(""), parsed: null, trace: null, untraced: "" };

export class StreamAnswers {
  /** The last stream that was answered; where there's no answer, the newest. */
  shown = $state.raw<Shown>(EMPTY);
  readonly isAnswer = $derived(this.shown.parsed !== null || this.shown.trace !== null);
  /** Why there is no answer; "" if there is one. */
  trouble = $state("");
  /** Whether the answer to the newest stream takes a while. */
  isLate = $state(false);
  #abort = new AbortController();
  #impatient: ReturnType<typeof setTimeout> | undefined;
  /** When the newest was asked for, and how long the last answer took, in milliseconds. */
  #start = 0;
  #took = 0;

  constructor(readonly reference: Reference) {}

  /** Begins anew with this stream. */
  async follow(stream: Stream) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    const base: Shown = { ...EMPTY, prefix: new Text(stream.prefix), text: new Text(stream.text) };
    if (!this.isAnswer) this.shown = base;
    this.#impatient ??= setTimeout(() => (this.isLate = true), PATIENCE);
    try {
      if (this.#took > SLOW) await pause(PAUSE, signal);
      await this.#ask(stream, base, signal);
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return;
      this.#settle(base, troubleOf(error));
    }
  }

  async #ask(stream: Stream, base: Shown, signal: AbortSignal) {
    this.#start = this.reference.state.phase === "ready" ? performance.now() : Infinity; // loading doesn't count
    let { trace, untraced } = await this.#trace(stream, FIRST, signal);
    const isKnown = trace !== null && complete(trace);
    const request = { ...stream, chunks: [stream.text] };
    const parsed = isKnown ? null : await this.reference.client.call("parse", request, { signal });
    this.#settle({ ...base, parsed, trace, untraced }, "");
    await tick();
    answered();
    while (trace && !complete(trace)) {
      ({ trace } = await this.#trace(stream, SLICE, signal));
      this.shown = { ...base, parsed, trace, untraced };
    }
  }

  /** As far as the milliseconds allow; null for a text that is too long to be traced. */
  async #trace(stream: Stream, milliseconds: number, signal: AbortSignal) {
    try {
      const trace = await this.reference.client.call("trace", { ...stream, milliseconds }, { signal });
      return { trace, untraced: "" };
    } catch (error) {
      if (!(error instanceof AntiphonError) || error.failure.kind !== "too-long") throw error;
      return { trace: null, untraced: error.failure.message };
    }
  }

  #settle(shown: Shown, trouble: string) {
    this.shown = shown;
    this.trouble = trouble;
    this.isLate = false;
    this.#took = performance.now() - this.#start;
    clearTimeout(this.#impatient);
    this.#impatient = undefined;
  }
}

/** Whether a trace knows all moments. */
export function complete({ reached, length, error }: Trace): boolean {
  return reached > length || error !== null;
}

export interface Checked {
  template: Problem[];
  tools: Problem[];
  /** What the lint didn't finish in its time. */
  unfinished: string[];
  done: boolean;
}

const UNCHECKED: Checked = { template: [], tools: [], unfinished: [], done: false };

/** What the reference and the lint say about the template and the tools. */
export class CheckAnswers {
  checked = $state.raw<Checked>(UNCHECKED);
  #request: Calls["check"]["request"] | undefined;
  #abort = new AbortController();

  constructor(readonly client: Client) {}

  /** What was said may be of another template. */
  forget() {
    this.checked = UNCHECKED;
    if (this.#request) void this.follow(this.#request); // newer input, if there is any, cancels this
  }

  async follow(request: Calls["check"]["request"]) {
    this.#request = request;
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      await pause(LINT_PAUSE, signal);
      this.checked = { ...(await this.client.call("check", request, { signal })), done: true };
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return;
      const unfinished = [error instanceof Stopped ? `the check was ${error.message}` : reasonOf(error)];
      this.checked = { ...UNCHECKED, unfinished };
    }
  }
}

/** Rejects with Cancelled when there is newer input. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Cancelled("newer input"));
    });
  });
}
