// Adapter for a parser of response templates in JavaScript. The runner starts it and talks to it in JSON Lines.
//
// It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
// output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.

import { createInterface } from "node:readline";

// Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
// are then counted apart. `dialect` may name an engine, such as "ecmascript", for which the patterns of the template
// shall be translated.
const HELLO = {
  type: "hello",
  protocol: 1,
  name: "my-parser",
  version: "0.0.0",
  language: "JavaScript",
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
  constructor(kind, message, pointer) {
    super(message);
    Object.assign(this, { kind, pointer });
  }
}

/** The text can't be parsed. `events`: what the failing call would have returned before the error (ERROR-4). */
class Failed extends Error {
  constructor(kind, message, events, field, position) {
    super(message);
    Object.assign(this, { kind, events, field, position });
  }
}

/** The parser lacks an option, or something that a pattern needs; the text says what. */
class Unsupported extends Error {}

// --------------------------------------------------------------------------------------------------------------------
// CONNECT YOUR PARSER HERE. All below it may stay as it is.

/**
 * One stream. Let each method call your parser, turn its events into those of the protocol (SPEC.md, EVENT-1, such as
 * {type: "region_open", field: "content"}), and throw its errors as Refused (of template and tools), Failed (of the
 * text) or Unsupported. Any other error ends the adapter; the runner shows it as a crash of the case, and starts the
 * adapter anew.
 */
class Parser {
  /** What the prefix alone determines (ANCHOR-5). */
  initialEvents = [];

  /**
   * `template` may be faulty; `prefix` is null where the parser is to be made without one (PREFIX-1). `options` may
   * hold {on_malformed: "event"} (ERROR-6). `patterns`: the template's, translated, if HELLO has a dialect; else null.
   */
  constructor({ template, prefix, tools, options, patterns }) {
    throw new Refused("not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in adapter.mjs");
  }

  /** The events that are determined now. */
  feed(text) {
    return [];
  }

  /** The message and the last events. */
  finalize() {
    return { message: {}, events: [] };
  }
}

// END OF THE PART THAT IS YOURS
// --------------------------------------------------------------------------------------------------------------------

/** What came of a run: everything of the result but `type` and `id`. What came before an error is part of it. */
function answer(request, patterns) {
  const came = { initial: [], feeds: [] };
  let stage = "prefix";
  try {
    const parser = new Parser({ ...request, patterns });
    came.initial = parser.initialEvents;
    stage = "feed";
    for (const chunk of request.chunks) came.feeds.push(parser.feed(chunk));
    stage = "finalize";
    const { message, events } = parser.finalize();
    return { ...came, message, final: events };
  } catch (error) {
    const { kind, message, pointer, field, position, events } = error; // what you don't tell isn't judged
    if (error instanceof Unsupported) return { unsupported: message };
    if (error instanceof Refused) return { error: { stage: "load", kind, pointer, message } };
    if (!(error instanceof Failed)) throw error;
    if (stage === "prefix") came.initial = events;
    if (stage === "feed") came.feeds.push(events);
    if (stage === "finalize") came.final = events;
    return { ...came, error: { stage, kind, field, position, message } };
  }
}

let patterns = null; // only the first run of a case carries them
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  patterns = request.patterns ?? patterns;
  const response =
    request.type === "hello" ? HELLO : { type: "result", id: request.id, ...answer(request, patterns) };
  process.stdout.write(JSON.stringify(response) + "\n");
}
