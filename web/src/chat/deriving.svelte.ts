/** What is made of the chat template in the editor, and of the response template beside it, kept up to date. */

import type { Calls, ChatTemplate, Derived, RoundTrip } from "../../interop/src/api";
import { Cancelled } from "../engine/client";
import { pause } from "../playground/answers.svelte";
import { troubleOf } from "../playground/trouble";
import { reference } from "../state.svelte";

/** A chat template is a program, which may run for ever. */
const SECONDS = 10;
/** Milliseconds without a keystroke, after which it's begun. */
const PAUSE = 400;

/** The newest answer to a call; it stays until there's another. */
class Answer<Name extends "derive" | "round_trip"> {
  value = $state.raw<Calls[Name]["answer"] | null>(null);
  /** Why there is none; "" if there is one. */
  trouble = $state("");
  busy = $state(false);
  /** What was asked last. */
  #asked = "";
  #abort = new AbortController();

  constructor(readonly name: Name) {}

  async ask(request: Calls[Name]["request"]) {
    const asked = JSON.stringify(request);
    if (asked === this.#asked) return;
    this.#begin(asked);
    const { signal } = this.#abort;
    this.busy = true;
    try {
      await pause(PAUSE, signal);
      const value = await reference.client.call(this.name, request, { seconds: SECONDS, signal });
      this.put(value);
      this.#asked = asked;
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted) return;
      [this.value, this.trouble, this.busy] = [null, troubleOf(error), false];
    }
  }

  /** This is the answer, without a call. */
  put(value: Calls[Name]["answer"] | null) {
    this.#begin("");
    [this.value, this.trouble, this.busy] = [value, "", false];
  }

  #begin(asked: string) {
    this.#asked = asked;
    this.#abort.abort();
    this.#abort = new AbortController();
  }
}

class Deriving {
  #derive = new Answer("derive");
  #trip = new Answer("round_trip");
  readonly derived: Derived | null = $derived(this.#derive.value);
  readonly trip: RoundTrip | null = $derived(this.#trip.value);
  readonly trouble = $derived(this.#derive.trouble);
  readonly tripTrouble = $derived(this.#trip.trouble);
  readonly busy = $derived(this.#derive.busy);
  readonly tripBusy = $derived(this.#trip.busy || this.#derive.busy);

  /** A chat template, of which a response template is made. */
  derive(request: ChatTemplate) {
    if (request.chat_template.trim()) void this.#derive.ask(request);
    else this.#derive.put(null);
  }

  /** Whether the response template is right: the edited one, if there is one. */
  test(request: ChatTemplate, edited: string | undefined) {
    if (this.derived && edited !== undefined) void this.#trip.ask({ ...request, template: edited });
    else this.#trip.put(this.derived?.round_trip ?? null);
  }
}

export const deriving = new Deriving();
