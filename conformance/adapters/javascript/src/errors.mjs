// @ts-check
/** The errors of SPEC.md, section 10. The port throws nothing else for any template, tools or text. */

/** @import { Event, Message } from "../types.d.ts" */

class KindOfError extends Error {
  /** @param {string} kind the stable slug (ERROR-1) @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** A template, or a list of tools, that can't be used (LOAD-1, TOOLS-1). */
export class TemplateError extends KindOfError {
  /** @param {string} kind @param {string} pointer JSON Pointer to what is wrong @param {string} reason */
  constructor(kind, pointer, reason) {
    super(kind, `${pointer || "the document"}: ${reason}`);
    this.pointer = pointer;
  }
}

/** A stream from which no message can be made (ERROR-1 to ERROR-4). */
export class ParseError extends KindOfError {
  field = /** @type {string | null} */ (null);
  position = 0; // where the text in question begins: code points of the generation, negative in the head
  events = /** @type {Event[]} */ ([]); // those of the failing call that came before the error
  messageSoFar = /** @type {Message} */ ({});
}

/** A call that the parser can't take, or not any more (ERROR-5). */
export class ParserStateError extends KindOfError {}

/** Inside the port only: a text that has no value. The parser makes a `ParseError` or an event of it. */
export class Malformed extends KindOfError {}
