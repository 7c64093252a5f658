/** What the playground shows of its sources: which moment, cut how; and what there is to tell about it. */

import type { Calls } from "../../interop/src/api";
import { Cancelled } from "../engine/client";
import { reference, sources, type Written } from "../state.svelte";
import { Text } from "../text";
import { CheckAnswers } from "./answers.svelte";
import type { Chunking, Unit } from "./chunking";
import { Scrub } from "./scrub.svelte";
import { troubleOf } from "./trouble";

export interface View {
  chunking?: Chunking;
  unit?: Unit;
  moment?: number;
}

/** What is said beside the buttons. */
export class Notice {
  text = $state("");
  /** Whether something went wrong. */
  isBad = $state(false);

  tell(text: string, isBad = false) {
    this.text = text;
    this.isBad = isBad;
  }

  /** Tells what is to be said when it's done, or what went wrong. */
  async after(doing: () => Promise<string | void>) {
    try {
      const text = await doing();
      if (text) this.tell(text);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.tell(troubleOf(error), true);
    }
  }

  /** An answer of the reference, which may have to be loaded first. */
  answer<Name extends keyof Calls>(name: Name, request: Calls[Name]["request"]) {
    if (reference.state.phase === "loading") this.tell("This is done when Python is loaded.");
    return reference.client.call(name, request, { seconds: 30 });
  }
}

export const scrub = new Scrub();
export const notice = new Notice();
export const check = new CheckAnswers(reference.client);

/** Puts this in place of all sources, and shows it: its end, in one piece, unless told otherwise. */
export function put(written: Partial<Written>, { chunking = { kind: "whole" }, unit, moment = Infinity }: View = {}) {
  sources.put(written);
  scrub.chunking = chunking;
  if (unit) scrub.unit = unit;
  scrub.length = new Text(sources.text).length;
  scrub.go(moment);
  notice.tell("");
  check.forget();
}
