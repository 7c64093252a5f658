/** The values that the modules hand to each other, for readers and for the type checker. No module loads this file. */

import type { Delimiter, Pattern } from "./src/patterns.mjs";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Message = { [key: string]: Json };

/** EVENT-1 and ERROR-6. */
export type Event =
  | { type: "region_open"; field: string }
  | { type: "region_chunk"; field: string; text: string; dirty: boolean }
  | { type: "region_close"; field: string; value: Json }
  | { type: "region_malformed"; field: string; text: string; kind: string };

export interface Options {
  /** The prompt that is continued; "" says that there is none, and to leave it out is an error (PREFIX-1). */
  prefix: string | null;
  /** Tool objects, by whose schemas arguments are cast (section 8). */
  tools?: unknown[] | null;
  /** "event" passes over regions whose text has no value (ERROR-6). */
  onMalformed?: "raise" | "event";
}

/** The patterns of a template by their JSON Pointers, as `antiphon translate FILE --to ecmascript` writes them. */
export type Patterns = { [pointer: string]: Entry };

export interface Entry {
  source: string;
  groups: string[];
  plain: Translation;
  hit_end?: Translation;
  must?: Translation;
  taking?: Translation;
  longest?: number | null;
  context?: number | null;
  error?: { kind: string; message: string };
}

/** `tails` are missing here: only engines that can't look ahead have any. */
export interface Translation {
  pattern: string | null;
  flags: string;
  groups: { [group: string]: string };
  markers: string[];
  notes: { text: string }[];
}

export type Captures = { [name: string]: string };

/** A match of a delimiter. Undecided: none begins before `start`; if `certain`, one begins there in any case. */
export interface Found {
  start: number;
  end: number;
  captures: Captures;
  undecided: boolean;
  certain: boolean;
}

/** The value of a region's text; throws `Malformed`. */
export type Parse = (text: string) => Json;

/** A content kind (section 6). */
export interface Kind {
  /** Whether a chunk isn't yet a part of the value (EVENT-3). */
  dirty: boolean;
  /** Whether the value may have members (TRANSFORM-5). */
  mayBeObject: boolean;
  /** Its arguments, and how each is read. */
  args?: { [name: string]: "flag" | "separator" | "pairs" | "tags" | "parser" };
  required?: string;
  /** What makes a parser from the arguments that were given. */
  parser: (args: any) => Parse;
}

/** The value of a region by its transform; throws `Malformed`. */
export type Transform = (content: Json, captures: Captures) => Json;

/** A key of the message, and how it is recognised (TEMPLATE-3). */
export interface Field {
  name: string;
  open: Delimiter | undefined;
  close: Delimiter | undefined;
  dirty: boolean;
  parse: Parse;
  transform: Transform | undefined;
  /** Whether the value can't be known before what the close captures is (DUE-4). */
  valueDependsOnClose: boolean;
  repeats: boolean;
  join: string | undefined;
  optional: boolean;
}

/** A template, ready for use. It never changes, and may be shared by any number of parsers. */
export interface Template {
  defaults: Message;
  /** In the order of their names by code points (DELIM-1). */
  fields: Field[];
  implicit: Field | undefined;
  anchor: Pattern;
}

/** A delimiter, and what is known of its next match: this stays true whatever is watched in between. */
export interface Watch {
  field: Field;
  delimiter: Delimiter;
  isOpen: boolean;
  /** No match begins before this position. */
  floor: number;
  found: Found | null;
  /** The end of the stream when it was searched last; Infinity: the stream had ended. */
  seen: number;
}

/** The current region; without a field its text is discarded (REGION-1). */
export interface Region {
  field: Field | undefined;
  /** Where its text begins, in code points. */
  begin: number;
  /** Those of its open. */
  captures: Captures;
  /** Whether its region_open has been emitted. */
  opened: boolean;
  /** Whether its region_close has been emitted; its close may still take more text. */
  closed: boolean;
  parts: string[];
}

/** A grammar of content: see `reader.mjs`. */
export interface Grammar {
  title: string;
  /** The kind of its errors. */
  kind: string;
  /** How many lists and objects may be in each other. */
  maxDepth: number;
  /** The quotes, and what may stand between two of them as it is. */
  strings: { [quote: string]: RegExp };
  /** What may follow a backslash, apart from u. */
  escapes: { [character: string]: string };
  /** Words, and those of them that are values. */
  word: RegExp;
  constants: { [word: string]: null | boolean };
}
