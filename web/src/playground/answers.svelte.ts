/**
 * What the reference makes of the stream in the editors, kept up to date: as many moments as are known at once, and if
 * that isn't all, the result; then the other moments, slice by slice. Newer input cancels what is under way.
 */

import { tick } from "svelte";
import type { Calls, Problem, Stream, Trace } from "../../interop/src/api";
import { Cancelled, Stopped, type Client } from "../engine/client";
import { Text } from "../text";
import { answered } from "./keystroke";
import { troubleOf } from "./trouble";

export type Parsed = Calls["parse"]["answer"];

/** A text that is longer is parsed, but not traced. */
export const TRACED = 50_000; // as in tracing.py
/** A text that is longer waits for a pause in typing. */
const LONG = 50_000;
/** Milliseconds. */
const PAUSE = 300;
/** The lint takes longer than an answer, and would be in the way of the next keystroke: it waits for a longer pause. */
const LINT_PAUSE = 600;
/** Milliseconds of the first slice of a trace, and of the others. */
const FIRST = 15;
const SLICE = 70;
/** After so many milliseconds without an answer the new text is shown without it. */
const PATIENCE = 200;

/** A stream with what is known of it. `parsed`: the result, if the trace doesn't know it yet. */
export interface Shown {
  prefix: Text;
  text: Text;
  parsed: Parsed | null;
  trace: Trace | null;
}

const EMPTY: Shown = { prefix: new Text(""), text: new Text(""), parsed: null, trace: null };

export class StreamAnswers {
  shown = $state.raw<Shown>(EMPTY);
  /** Why there is no answer; "" if there is one. */
  trouble = $state("");
  #abort = new AbortController();

  constructor(readonly client: Client) {}

  /** Begins anew with this stream. */
  async follow(stream: Stream) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    const base: Shown = { prefix: new Text(stream.prefix), text: new Text(stream.text), parsed: null, trace: null };
    const impatient = setTimeout(() => !signal.aborted && (this.shown = base), this.shown === EMPTY ? 0 : PATIENCE);
    try {
      if (stream.text.length > LONG) await pause(PAUSE, signal);
      await this.#ask(stream, base, signal, () => clearTimeout(impatient));
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return;
      this.shown = base;
      this.trouble = troubleOf(error);
    } finally {
      clearTimeout(impatient);
    }
  }

  async #ask(stream: Stream, base: Shown, signal: AbortSignal, onAnswer: () => void) {
    const traced = base.text.length <= TRACED;
    let trace = traced ? await this.client.call("trace", { ...stream, milliseconds: FIRST }, { signal }) : null;
    const known = trace !== null && complete(trace);
    const parsed = known ? null : await this.client.call("parse", { ...stream, chunks: [stream.text] }, { signal });
    onAnswer();
    this.trouble = "";
    this.shown = { ...base, parsed, trace };
    await tick();
    answered();
    while (trace && !complete(trace)) {
      trace = await this.client.call("trace", { ...stream, milliseconds: SLICE }, { signal });
      this.shown = { ...base, parsed, trace };
    }
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
  #abort = new AbortController();

  constructor(readonly client: Client) {}

  async follow(request: Calls["check"]["request"]) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      await pause(LINT_PAUSE, signal);
      this.checked = { ...(await this.client.call("check", request, { signal })), done: true };
    } catch (error) {
      if (error instanceof Stopped) this.checked = { ...UNCHECKED, unfinished: [`the check was ${error.message}`] };
      else if (!(error instanceof Cancelled) && !signal.aborted) this.checked = UNCHECKED;
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Cancelled("newer input"));
    });
  });
}
