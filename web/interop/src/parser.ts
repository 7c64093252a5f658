/** The reference's parser for one stream, as an object of JavaScript; the parser itself lives in Python. */

import type { Event, Json, Message, OnMalformed } from "./api.js";
import { AntiphonError } from "./engine.js";
import type { Engine } from "./engine.js";

/** A template or its JSON source, as a file has it. In the source, whole numbers of any size keep their digits. */
export type Template = string | { [key: string]: Json };

export interface ParseOptions {
  /** The prompt that is continued; "" says that there is none, and to leave it out is an error (PREFIX-1). */
  prefix?: string | null;
  /** Tool objects, by whose schemas arguments are cast (section 8 of SPEC.md). */
  tools?: Json[] | null;
  /** "event" passes over regions whose text has no value (ERROR-6). Default: raise. */
  onMalformed?: OnMalformed;
  /** Extensions under discussion that the template may use (annex B of SPEC.md). */
  proposals?: string[];
}

/** What is kept of a parser: its number in Python. */
interface Handle {
  engine: Engine;
  parser: number;
}

const FORGOTTEN = new FinalizationRegistry<Handle>((handle) => {
  try {
    free(handle);
  } catch {
    // Python has broken down, and whoever calls it next is told
  }
});

function free({ engine, parser }: Handle) {
  engine.call("parser_free", { parser });
}

/** Parses one stream; the result doesn't depend on the chunks (EVENT-4). Its methods throw AntiphonError. */
export class Parser {
  /** The events that the prefix determines. */
  readonly initialEvents: Event[];
  readonly #handle: Handle;
  /** Half a pair of surrogates at the end of a chunk: it is no code point before its other half has come, or can't. */
  #half = "";

  constructor(engine: Engine, template: Template, { prefix, tools, onMalformed, proposals }: ParseOptions = {}) {
    const { parser, initial } = engine.call("parser_new", {
      template: sourceOf(template),
      prefix: prefix ?? null,
      tools: tools ? JSON.stringify(tools) : "",
      on_malformed: onMalformed ?? "raise",
      proposals: proposals ?? [],
    });
    this.initialEvents = initial;
    this.#handle = { engine, parser };
    FORGOTTEN.register(this, this.#handle, this.#handle);
  }

  /** The message of the regions closed so far; a copy. */
  get messageSoFar(): Message {
    return this.#handle.engine.call("parser_message", { parser: this.#handle.parser });
  }

  /** The events that are determined now that `text` has been received, and weren't before. */
  feed(text: string): Event[] {
    const received = this.#half + text;
    const end = endsWithin(received) ? received.length - 1 : received.length;
    this.#half = received.slice(end);
    return this.#feed(received.slice(0, end));
  }

  /** Ends the stream: the message, and the events that only its end determines. */
  finalize(): { message: Message; events: Event[] } {
    const earlier = this.#half ? this.#feed(this.#half) : [];
    this.#half = "";
    try {
      const { message, events } = this.#handle.engine.call("parser_finalize", { parser: this.#handle.parser });
      return { message, events: [...earlier, ...events] };
    } catch (error) {
      if (error instanceof AntiphonError) error.events.unshift(...earlier);
      throw error;
    }
  }

  /** Frees what Python keeps of the parser now; otherwise it is freed some time after the last use. */
  free() {
    FORGOTTEN.unregister(this.#handle);
    free(this.#handle);
  }

  #feed(text: string): Event[] {
    return this.#handle.engine.call("parser_feed", { parser: this.#handle.parser, text });
  }
}

/** The JSON source of a template. */
export function sourceOf(template: Template): string {
  return typeof template === "string" ? template : JSON.stringify(template);
}

function endsWithin(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}
