// Adapter for a parser of response templates in TypeScript. The runner starts it and talks to it in JSON Lines.
//
// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.

import { createInterface } from "node:readline";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Such as {type: "region_open", field: "content"}; the types and members are those of SPEC.md, EVENT-1. */
type ParserEvent =
  | { type: "region_open"; field: string }
  | { type: "region_chunk"; field: string; text: string; dirty: boolean }
  | { type: "region_close"; field: string; value: Json }
  | { type: "region_malformed"; field: string; text: string; kind?: string };

/** What a parser is made from. */
interface Setup {
  /** It may be faulty. */
  template: Json;
  /** null: the parser is to be made without one (PREFIX-1). */
  prefix: string | null;
  tools: Json;
  /** ERROR-6. */
  options: { on_malformed?: "raise" | "event" };
  /** The template's, translated, if HELLO has a dialect; else null. */
  patterns: Json;
}

interface Run extends Setup {
  type: "run";
  id: number;
  chunks: string[];
}

// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
// are then counted apart. `dialect` may name an engine, such as "ecmascript", for which the patterns of the template
// shall be translated.
const HELLO = {
  type: "hello",
  protocol: 1,
  name: "my-parser",
  version: "0.0.0",
  language: "TypeScript",
  contents: ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
  features: [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset", "duplicate-names",
    "group-kept-in-loop",
  ],
  dialect: null,
};

/** The template or the tools are refused. `pointer`: the JSON Pointer to the fault; leave it out if you have none. */
class Refused extends Error {
  constructor(readonly kind: string, message: string, readonly pointer?: string) {
    super(message);
  }
}

/** The text can't be parsed. `events`: what the failing call would have returned before the error (ERROR-4). */
class Failed extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly events: ParserEvent[],
    readonly field?: string,
    readonly position?: number,
  ) {
    super(message);
  }
}

/** The parser lacks an option, or something that a pattern needs; the text says what. */
class Unsupported extends Error {}

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

/**
 * One stream. Let each method call your parser, turn its events into those of the protocol, and throw its errors as
 * Refused (of template and tools), Failed (of the text) or Unsupported. Any other error ends the adapter; the runner
 * shows it as a crash of the case, and starts the adapter anew.
 */
class Parser {
  /** What the prefix alone determines (ANCHOR-5). */
  readonly initialEvents: ParserEvent[] = [];

  constructor(setup: Setup) {
    throw new Refused("not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in adapter.ts");
  }

  /** The events that are determined now. */
  feed(text: string): ParserEvent[] {
    return [];
  }

  /** The message and the last events. */
  finalize(): { message: { [name: string]: Json }; events: ParserEvent[] } {
    return { message: {}, events: [] };
  }
}

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

/** What came of a run: everything of the result but `type` and `id`. What came before an error is part of it. */
function answer(run: Run, patterns: Json): object {
  let initial: ParserEvent[] = [];
  const feeds: ParserEvent[][] = [];
  let stage = "prefix";
  try {
    const parser = new Parser({ ...run, patterns });
    initial = parser.initialEvents;
    stage = "feed";
    for (const chunk of run.chunks) feeds.push(parser.feed(chunk));
    stage = "finalize";
    const { message, events } = parser.finalize();
    return { initial, feeds, final: events, message };
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    if (error instanceof Refused) {
      const { kind, pointer, message } = error; // what you don't tell isn't judged
      return { error: { stage: "load", kind, pointer, message } };
    }
    if (!(error instanceof Failed)) throw error;
    const { kind, field, position, message, events } = error;
    const told = { error: { stage, kind, field, position, message } };
    if (stage === "prefix") return { ...told, initial: events };
    if (stage === "feed") return { ...told, initial, feeds: [...feeds, events] };
    return { ...told, initial, feeds, final: events };
  }
}

let patterns: Json = null; // only the first run of a case carries them
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line) as Run | { type: "hello" };
  let response: object = HELLO;
  if (request.type === "run") {
    patterns = request.patterns ?? patterns;
    response = { type: "result", id: request.id, ...answer(request, patterns) };
  }
  process.stdout.write(JSON.stringify(response) + "\n");
}
