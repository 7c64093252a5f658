/**
 * The messages between the runner and an implementation (`conformance/README.md`, "The protocol"), and what they name.
 */

import type { Event, Json, Message, OnMalformed } from "./api.js";

/** All content kinds (CONTENT-1). */
export const CONTENTS = ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"];

/** All extended pattern constructs, by their slugs in DIALECT-3. */
export const FEATURES = [
  "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge",
  "atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline",
  "verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme",
  "branch-reset", "duplicate-names", "group-kept-in-loop",
];

/** An engine for which the patterns of templates can be translated. */
export type Dialect =
  | "ecmascript" | "ecmascript-v" | "java" | "dotnet" | "pcre2" | "icu" | "re2" | "rust" | "re" | "ruby" | "regex";

export type HelloRequest = { type: "hello"; protocol: 1 };

/** Who an implementation is, and what it has; what it doesn't name, it isn't asked for. */
export type Hello = {
  type: "hello";
  protocol: 1;
  name: string;
  version: string;
  language: string;
  contents: string[];
  features: string[];
  proposals?: string[];
  dialect?: Dialect | null;
};

/** A run: make a parser, feed it the chunks, finalize it. */
export type RunRequest = {
  type: "run";
  id: number;
  /** Not always a valid one. */
  template: Json;
  /** null: the parser is made without one. */
  prefix: string | null;
  tools: Json;
  options: { on_malformed?: OnMalformed };
  proposals?: string[];
  chunks: string[];
  /** In the first run of a case, if hello names a dialect. */
  patterns?: Patterns;
};

/** The patterns of a template by their JSON Pointers, as `antiphon translate` writes them. */
export type Patterns = { [pointer: string]: { [member: string]: Json } };

export type Stage = "load" | "prefix" | "feed" | "finalize";

/** What came of a run: one of `message`, `error` and `unsupported` is there. */
export type Result = {
  type: "result";
  id: number;
  initial?: Event[];
  feeds?: Event[][];
  final?: Event[];
  message?: Message;
  error?: { stage: Stage; kind?: string; pointer?: string; field?: string; position?: number; message?: string };
  unsupported?: string;
};
