/**
 * What the reference answers to, as JSON: the calls of `antiphon_web.bridge`, with their requests and answers.
 *
 * Positions and lengths are code points, never UTF-16 units. A *moment* is a number of code points of the text: what is
 * due at moment n is determined when n of them have been fed; one more than the text has stands for its end (DUE-1).
 */

import type { CaseResult, Gap, Level, Report, Row } from "./report.js";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** What becomes of a region whose text has no value: an error, or an event (ERROR-6). */
export type OnMalformed = "raise" | "event";
export type Message = { [key: string]: Json };

/** EVENT-1 and ERROR-6. */
export type Event =
  | { type: "region_open"; field: string }
  | { type: "region_chunk"; field: string; text: string; dirty: boolean }
  | { type: "region_close"; field: string; value: Json }
  | { type: "region_malformed"; field: string; text: string; kind: string };

/** An error of the reference, in loading or parsing; at stage `state` a mistake of the caller. */
export interface Failure {
  stage: "load" | "prefix" | "feed" | "finalize" | "state";
  kind: string;
  message: string;
  /** The place in the template, or in the tools (JSON Pointer), for errors of loading. */
  pointer?: string;
  /** For errors of parsing: where the region begins, in code points of the text; less than 0 in the prefix. */
  field?: string;
  position?: number;
  /** For errors of a parser: the events of the failing call that came before, and the message so far (ERROR-4). */
  events?: Event[];
  message_so_far?: Message;
}

/** What is said of a place in an editor; from `start` to `end` in the source, in code points. */
export interface Problem {
  /** The id of the lint's rule, the kind of a template's fault, or `json`. */
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  remedy: string;
  pointer: string;
  start: number;
  end: number;
  /** A text that shows it, if there is one, and what comes of that in pairs of who and what. */
  witness?: { text: string; prefix?: string; chunks?: string; shows: { how: string; what: string }[] };
}

/** What a stream is parsed with. `template` and `tools` are JSON as written in an editor; empty `tools`: none. */
export interface Stream {
  template: string;
  prefix: string;
  text: string;
  tools: string;
  on_malformed?: OnMalformed;
  proposals?: string[];
}

/** A piece of what was parsed, and what became of it; a region without a field is discarded text (REGION-1). */
export interface Span {
  start: number;
  end: number;
  kind: "region" | "open" | "close" | "discarded";
  field: string | null;
}

/**
 * From moment `first` to `last`, the text from `from` on (less than 0: from within the prefix) is held, because it may
 * become one of these delimiters: literals, of which only those that it may still become, or one pattern.
 */
export interface Hold {
  first: number;
  last: number;
  from: number;
  by: { field: string; role: "open" | "close"; delimiter: string[]; pattern: boolean }[];
}

/**
 * An event, chunks merged, with the moment it is due; a chunk's code points may be due one by one, from first to last.
 */
export interface TimedEvent {
  event: Event;
  first: number;
  last: number;
}

/** A stream code point by code point: everything that the scrubber shows, at any moment. */
export interface Trace {
  /** The number of code points of the text. */
  length: number;
  /** Up to which moment this trace knows; beyond the length, if it is complete. */
  reached: number;
  events: TimedEvent[];
  spans: Span[];
  holds: Hold[];
  /**
   * The messages so far: from each moment on until the next one. The last is that of the end, or of the error. null:
   * all messages together are too much to be told.
   */
  messages: { at: number; message: Message | null }[];
  error: (Failure & { at: number }) | null;
}

export interface Calls {
  /** What runs here. `engine`: which regex engine the reference found. */
  versions: {
    request: {};
    answer: {
      antiphon: string | null;
      suite: string;
      python: string;
      engine: "regex" | "re";
      engine_version: string;
      /** The proposals to the format that a stream may ask for. */
      proposals: string[];
    };
  };
  /**
   * Whether the template can be used, and what the lint says. `chat_template`: Jinja source, if known.
   */
  check: {
    request: {
      template: string;
      tools: string;
      proposals?: string[];
      chat_template?: string;
      special_tokens?: { [name: string]: string };
    };
    answer: { loads: boolean; template: Problem[]; tools: Problem[]; unfinished: string[] };
  };
  /** A whole stream at once: the quick answer to a keystroke. `chunks` are the feeds. */
  parse: {
    request: Stream & { chunks: string[] };
    answer: { initial: Event[]; feeds: Event[][]; final: Event[]; message: Message; error: Failure | null };
  };
  /** A parser that lasts from call to call, until it is freed; `prefix` null: it is made without one (PREFIX-1). */
  parser_new: {
    request: {
      template: string;
      prefix: string | null;
      tools: string;
      on_malformed: OnMalformed;
      proposals?: string[];
    };
    answer: { parser: number; initial: Event[] };
  };
  parser_feed: { request: { parser: number; text: string }; answer: Event[] };
  parser_finalize: { request: { parser: number }; answer: { message: Message; events: Event[] } };
  parser_message: { request: { parser: number }; answer: Message };
  parser_free: { request: { parser: number }; answer: null };
  /**
   * The stream code point by code point, as far as `milliseconds` allow; the same request again goes on where the last
   * stopped, and what an edit left as it was isn't traced anew. A text that is too long for that is refused (`too-long`).
   */
  trace: { request: Stream & { milliseconds: number }; answer: Trace };
  /** Other cuts than the whole: as many as `milliseconds` allow, from the one of number `from` on. */
  cuts: {
    request: Stream & { from: number; milliseconds: number };
    answer: { tried: number; total: number; difference: Difference | null };
  };
  /**
   * A case file with this stream as its one case. Its events have moments where the reference is never late (DUE-4), and
   * the text isn't too long to be traced.
   */
  case: { request: Stream & { id: string; description: string }; answer: { source: string } };
  /**
   * A tokenizer_config.json (`is_config`), a template's file, or a case file: what is in it. Only the first may have no
   * template yet.
   */
  open: {
    request: { source: string; name: string };
    answer: {
      template?: string;
      prefix?: string;
      text?: string;
      tools?: string;
      on_malformed?: OnMalformed;
      proposals?: string[];
      is_config?: true;
      chat_template?: string;
      special_tokens?: { [name: string]: string };
    };
  };
  /** A tokenizer_config.json's text with the template in it, in the place of one that it has; all else is as it was. */
  write_config: { request: { source: string; name: string; template: string }; answer: { source: string } };
  /** The patterns of a template for every engine: as many as `milliseconds` allow, from the one of number `from` on. */
  translations: {
    request: { template: string; from: number; milliseconds: number };
    answer: { patterns: TranslatedPattern[]; total: number; targets: Target[] };
  };
  /** The patterns of a template for an engine, as `antiphon translate` and the protocol's requests have them. */
  table: { request: { template: string; dialect: string }; answer: { [pointer: string]: { [member: string]: Json } } };
  /**
   * Where the reference's own engine finds a pattern: all matches in a complete text, of at most 100,000 code points;
   * and of at most 1,000, the hit-end search at each moment.
   */
  search: {
    request: { pattern: string; text: string };
    answer: {
      matches: Found[];
      held: { moment: number; result: "match" | "undecided" | "no"; start: number; end: number }[];
    };
  };
  /** The response template of a chat template, how it came about, and the round trip of both. */
  derive: { request: ChatTemplate; answer: Derived };
  /** What a response template understands of what a chat template writes. */
  round_trip: { request: ChatTemplate & { template: string }; answer: RoundTrip };
  /** The suite's cases, as a list to choose from. */
  suite: { request: {}; answer: { version: string; digest: string; cases: CaseHead[] } };
  /** A case to be read (null: the suite has none), what its failure means, and the texts of clauses. */
  describe: {
    request: { case: string; clauses: string[] };
    answer: {
      case: {
        template: Json;
        prefix: string | null;
        text: string;
        tools: Json;
        options: { on_malformed?: OnMalformed };
        proposals: string[];
        /** The cuts that it lists. */
        chunkings: number[][];
        requires: string[];
        reason: string;
        source: string;
      } | null;
      notes: { title: string; effect: string }[];
      clauses: { [name: string]: string };
    };
  };
  /** The requests of the protocol that run a case with its chunkings, or what the implementation lacks. */
  requests: {
    request: { case: string; hello: Json; seed: number; number: number };
    answer: { lacks: string[]; requests: Json[] };
  };
  /** The verdicts on a case, by the answers to its requests; `failure` says why there are no more of them. */
  judge: {
    request: { case: string; hello: Json; seed: number; number: number; answers: Json[]; failure: string | null };
    answer: CaseResult;
  };
  /** The reference's own verdicts on a case: it is run in place. */
  run: { request: { case: string; seed: number }; answer: CaseResult };
  /** A report on the cases that one implementation was asked (`hello` null: the reference). */
  report: {
    request: {
      adapter: string;
      hello: Json;
      seed: number;
      level: Level;
      filter: string[];
      seconds: number;
      results: CaseResult[];
      asked: string[];
      interrupted: boolean;
    };
    answer: Report;
  };
}

export interface Difference {
  chunking: string;
  /** As in reports. */
  rows: (Row | Gap)[];
}

export interface Target {
  id: string;
  title: string;
}

export interface TranslatedPattern {
  /** The place in the template, and the pattern there; for literals, the alternation that means the same. */
  pointer: string;
  pattern: string;
  literals: string[];
  /** Why it has no translations: what no implementation takes. */
  error: string | null;
  /** By target: the plain and the hit-end translation, as `Translation.as_json()` has them. */
  translations: { [target: string]: { plain: Translation; hit_end: Translation } };
}

export interface Translation {
  target: string;
  verdict: "exact" | "exact under conditions" | "approximate" | "unsupported";
  pattern: string | null;
  flags: string;
  groups: { [group: string]: string | number };
  markers: string[];
  tails: string[];
  notes: { kind: string; text: string; remedy?: string; examples?: string[] }[];
}

export interface Found {
  start: number;
  end: number;
  captures: { [name: string]: string };
}

/** A chat template, Jinja source, and how it's rendered: as transformers does, or nearly as llama.cpp does. */
export interface ChatTemplate {
  chat_template: string;
  special_tokens?: { [name: string]: string };
  dialect: "hugging-face" | "lenient";
}

export interface Derived {
  /** As JSON. */
  template: string;
  /** Its parts in its order, from `start` to `end` in its source, each with the comparisons that showed it. */
  parts: { pointer: string; start: number; end: number; comment: string; comparisons: string[] }[];
  comparisons: { [step: string]: Comparison };
  /** What renders couldn't tell. */
  unsettled: string[];
  /** What a response template can't say (annex C of the specification). */
  missing: { slug: string; text: string }[];
  generation_prompt: string;
  /** As `antiphon derive --analysis` prints it. */
  analysis: Json;
  round_trip: RoundTrip;
  milliseconds: number;
}

/** Two renders: what is different in the second conversation, and the text; long ones are cut. */
export interface Comparison {
  change: string;
  before: string;
  first: string;
  second: string;
  after: string;
}

export interface RoundTrip {
  counts: { [verdict in TripVerdict]?: number };
  results: TripResult[];
}

export type TripVerdict = "exact" | "lossy" | "wrong" | "not written" | "not rendered" | "not split" | "not tried";

/** What came of one conversation. `prompt`, `text` and `message` are there if it was parsed. */
export interface TripResult {
  feature: string;
  verdict: TripVerdict;
  /** Why it wasn't parsed. */
  reason?: string;
  lost?: { what: string; expected?: Json; got?: Json }[];
  error?: string;
  /** What of it the chat template doesn't write. */
  unwritten?: string[];
  /** What ends the turn, if the verdict is that on the text without it. */
  only_without?: string;
  notes?: string[];
  prompt?: string;
  text?: string;
  end?: string;
  message?: Message | null;
  /** What went in: the messages before, the one that was to come back, and the tools. */
  given: { before: Json[]; message: Message; tools: Json[] };
}

export interface CaseHead {
  id: string;
  topic: string;
  description: string;
  required: boolean;
  clauses: string[];
  runs: number;
}

/** What `bridge.call` returns: an answer, or what the caller did wrong, for people. */
export type Answer<Name extends keyof Calls> = { ok: Calls[Name]["answer"] } | { error: Failure };
