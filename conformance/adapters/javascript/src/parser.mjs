// @ts-check
/**
 * The parser: from a stream of text to events and a message (SPEC.md, sections 2 to 5, 9 and 10).
 *
 * Positions are UTF-16 units of the stream; where SPEC.md counts code points, they are counted. Of the stream only that
 * is kept which may still matter: text that may belong to a delimiter, and what lookbehinds can see before it.
 */

import { Malformed, ParseError, ParserStateError } from "./errors.mjs";
import { codePoints, endsInHalf } from "./text.mjs";
import { caster } from "./tools.mjs";
import { copy, isEmpty, typeName } from "./values.mjs";

/** @import { Captures, Event, Field, Found, Json, Options, Region, Template, Watch } from "../types.d.ts" */
/** @import { Delimiter } from "./patterns.mjs" */

/** @param {Field} field @param {Delimiter} delimiter @param {boolean} isOpen @returns {Watch} */
const watching = (field, delimiter, isOpen) => ({ field, delimiter, isOpen, floor: 0, found: null, seen: -1 });

/** @param {Watch} watch @param {number} floor before which no match counts any more */
const passOver = (watch, floor) => Object.assign(watch, { floor, found: null, seen: -1 });

/** Parses one stream, chunk by chunk. Each event comes from the call that delivers the text which determines it. */
export class ResponseParser {
  #template;
  #cast;
  #raises;
  #opens;
  #closes;
  #context; // units before a match on which it may depend (DELIM-3)
  #generation; // where it begins, in code points
  #message;
  #region;
  #half = ""; // half of a surrogate pair at the end of the last chunk, as long as the other half may come
  #text = ""; // the stream from #offset on
  #offset = 0;
  #position = 0; // what lies before it has been given to regions and delimiters
  #points = 0; // #position in code points
  #announced = false; // has the region_open of the open that is about to fire been emitted
  #finalized = false;
  #events = /** @type {Event[]} */ ([]);
  #failure = /** @type {ParseError | null} */ (null);
  #joined = /** @type {Map<string, Json[]>} */ (new Map()); // what the text of fields with `join` is made of

  /**
   * Begins a stream with the head of the prefix (section 2); `initialEvents` are those that it determines.
   * @param {Template} template @param {Options} options
   * @throws {import("./errors.mjs").TemplateError | ParseError | ParserStateError}
   */
  constructor(template, { prefix, tools = null, onMalformed = "raise" }) {
    if (prefix === null || prefix === undefined) {
      throw new ParseError("prefix-missing", 'pass the prompt that the model continued, or "" if there is none');
    }
    if (onMalformed !== "raise" && onMalformed !== "event") {
      throw new ParserStateError("option", `onMalformed is "raise" or "event", not ${onMalformed}`);
    }
    const { defaults, fields, implicit, anchor } = template;
    this.#template = template;
    this.#raises = onMalformed === "raise";
    this.#cast = tools === null ? (/** @type {Json} */ value) => value : caster(tools);
    this.#message = new Map(Object.entries(copy(defaults)));
    this.#opens = fields.flatMap((field) => (field.open ? [watching(field, field.open, true)] : []));
    this.#closes = fields.flatMap((field) => (field.close ? [watching(field, field.close, false)] : []));
    const contexts = [...this.#opens, ...this.#closes].map(({ delimiter }) => delimiter.context);
    this.#context = 2 * Math.max(0, ...contexts);
    this.#region = this.#begin(implicit, {}, false);
    const anchors = [...anchor.findAll(asText(prefix))];
    const head = prefix.slice(anchors.at(-1)?.end ?? 0); // ANCHOR-1, ANCHOR-2
    this.#generation = codePoints(head);
    this.initialEvents = this.#receive(head);
  }

  /** The message as the regions closed so far make it, without what MESSAGE-6 drops. */
  get messageSoFar() {
    const { defaults, fields } = this.#template;
    const message = new Map(this.#message);
    for (const { name, join } of fields) {
      if (this.#joined.has(name)) message.set(name, this.#joined.get(name)?.join(join) ?? "");
    }
    const kept = [...message].filter(([key, value]) => Object.hasOwn(defaults, key) || !isEmpty(value));
    return copy(Object.fromEntries(kept));
  }

  /**
   * The events that are determined now, and weren't before.
   * @param {string} text
   * @throws {ParseError | ParserStateError} a region has no value (and again at later calls); the stream has ended
   */
  feed(text) {
    this.#checkUsable();
    return this.#receive(asText(text));
  }

  /** Ends the stream: the message, and the events that only its end determines. Throws as `feed` does. */
  finalize() {
    this.#checkUsable();
    const events = this.#advance(this.#half, true);
    const missing = this.#template.fields.find(({ optional, name }) => !optional && !this.#message.has(name));
    if (missing) this.#fail("field-missing", "this required field didn't occur", missing, this.#points);
    this.#finalized = true;
    return { message: this.messageSoFar, events };
  }

  #checkUsable() {
    if (this.#failure) throw this.#failure;
    if (this.#finalized) throw new ParserStateError("finalized", "the stream has ended; make a new parser");
  }

  /** Takes in a chunk, but for half a surrogate pair at its end (TEXT-1). @param {string} chunk */
  #receive(chunk) {
    const text = this.#half + chunk;
    const end = endsInHalf(text) ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    return this.#advance(text.slice(0, end), false);
  }

  /** Does all that the stream determines with this text, and forgets what can't matter any more.
   * @param {string} text @param {boolean} complete */
  #advance(text, complete) {
    this.#events = [];
    this.#text += text;
    while (this.#step(complete));
    const forget = Math.max(0, this.#position - this.#context - this.#offset);
    this.#text = this.#text.slice(forget);
    this.#offset += forget;
    return this.#events;
  }

  get #end() {
    return this.#offset + this.#text.length;
  }

  /** Fires the next delimiter, if it is determined (DELIM-1); false: no more can be done. @param {boolean} complete */
  #step(complete) {
    const watches = this.#watched().filter((watch) => this.#look(watch, complete));
    const start = Math.min(this.#end, ...watches.map(({ found }) => found?.start ?? Infinity));
    this.#write(start);
    if (complete && watches.length === 0) this.#closeRegion({});
    // Here opens come before the close, and by their names: sorting is stable, so the length alone decides.
    const ranked = watches.flatMap((watch) => (watch.found?.start === start ? [this.#ranked(watch, watch.found)] : []));
    ranked.sort((one, other) => Number(one.length < other.length) - Number(one.length > other.length));
    const decided = ranked.findIndex(({ found }) => !found.undecided);
    if (decided === 0) this.#fire(ranked[0].watch, ranked[0].found);
    // What ranks behind a match can't win any more, whatever it comes to.
    else this.#foresee(decided < 0 ? ranked : ranked.slice(0, decided + 1));
    return decided === 0;
  }

  /** A delimiter with the length of its match in code points; undecided, with the most that it can come to.
   * @param {Watch} watch @param {Found} found */
  #ranked(watch, found) {
    const matched = this.#text.slice(found.start - this.#offset, found.end - this.#offset);
    return { watch, found, length: found.undecided ? watch.delimiter.longest : codePoints(matched) };
  }

  /** The delimiters that count now (REGION-2). */
  #watched() {
    const close = this.#closes.filter(({ field }) => field === this.#region.field);
    return this.#region.field === this.#template.implicit ? [...this.#opens, ...close] : close;
  }

  /** The next match of a delimiter. What an earlier look found out is kept, so no text is searched twice.
   * @param {Watch} watch @param {boolean} complete */
  #look(watch, complete) {
    for (;;) {
      if (watch.found && watch.found.start < this.#position) passOver(watch, this.#position);
      if (!watch.found || watch.found.undecided) this.#search(watch, complete);
      const { found, isOpen } = watch;
      // DELIM-7 is about the close of an implicit region that doesn't exist yet (REGION-5).
      if (!found || isOpen || this.#region.opened || !this.#mustBeEmpty(watch.delimiter, found)) return found;
      passOver(watch, found.start + 1);
    }
  }

  /** Searches, unless it has been done for the text at hand. @param {Watch} watch @param {boolean} complete */
  #search(watch, complete) {
    const seen = complete ? Infinity : this.#end;
    if (watch.seen === seen) return;
    const begin = Math.max(watch.floor, this.#position);
    const found = watch.delimiter.search(this.#text, begin - this.#offset, complete);
    if (found) {
      found.start += this.#offset;
      found.end += this.#offset;
    }
    Object.assign(watch, { floor: found?.start ?? begin, found, seen });
  }

  /** Whether a match can only be empty, at the position reached. @param {Delimiter} delimiter @param {Found} found */
  #mustBeEmpty(delimiter, found) {
    if (!found.undecided) return found.end === this.#position;
    const here = found.start === this.#position && found.start < this.#end;
    return here && !delimiter.mayTakeText(this.#text, found.start - this.#offset);
  }

  /**
   * Emits what is determined although it isn't yet which delimiter fires next, or how far it reaches: if one of them
   * begins here in any case, the current region ends here, whatever its close will take (DUE-3).
   * @param {{watch: Watch, found: Found}[]} contenders
   */
  #foresee(contenders) {
    if (!contenders.some(({ found }) => found.certain)) return;
    const closes = contenders.filter(({ watch }) => !watch.isOpen);
    if (closes.some(({ watch }) => watch.field.valueDependsOnClose)) return;
    this.#closeRegion({});
    if (contenders.length === 1 && closes.length === 0) this.#announce(contenders[0].watch.field);
  }

  /** Ends the current region and begins the next (REGION-4, REGION-8). @param {Watch} watch @param {Found} found */
  #fire(watch, { start, end, captures }) {
    const { field, isOpen } = watch;
    this.#move(end);
    passOver(watch, end === start ? end + 1 : end); // DELIM-6
    this.#closeRegion(isOpen ? {} : captures);
    if (isOpen) this.#announce(field);
    this.#announced = false;
    this.#region = isOpen ? this.#begin(field, captures, true) : this.#begin(this.#template.implicit, {}, false);
  }

  /** A region that begins here. @param {Field | undefined} field @param {Captures} captures @param {boolean} opened
   * @returns {Region} */
  #begin(field, captures, opened) {
    return { field, begin: this.#points, captures, opened, closed: false, parts: [] };
  }

  /** Emits the region_open of an explicit region, once. @param {Field} field */
  #announce(field) {
    if (!this.#announced) this.#events.push({ type: "region_open", field: field.name });
    this.#announced = true;
  }

  /** The text up to a position, which is then the position reached. @param {number} position */
  #move(position) {
    const text = this.#text.slice(this.#position - this.#offset, position - this.#offset);
    this.#position = position;
    this.#points += codePoints(text);
    return text;
  }

  /** Gives the text up to a position to the current region (REGION-3). @param {number} position */
  #write(position) {
    const begin = this.#points;
    const text = this.#move(position);
    const region = this.#region;
    if (text === "" || !region.field) return;
    const { name: field, dirty } = region.field;
    if (!region.opened) {
      Object.assign(region, { opened: true, begin });
      this.#events.push({ type: "region_open", field });
    }
    region.parts.push(text);
    this.#events.push({ type: "region_chunk", field, text, dirty });
  }

  /** Ends the current region, if there is one that hasn't been ended yet (REGION-5). @param {Captures} captures */
  #closeRegion(captures) {
    const { field, begin, captures: earlier, opened, closed, parts } = this.#region;
    if (!field || closed || !opened) return;
    this.#region.closed = true;
    const text = parts.join("");
    try {
      const content = field.parse(text);
      const value = this.#cast(field.transform ? field.transform(content, { ...earlier, ...captures }) : content);
      this.#store(field, copy(value));
      this.#events.push({ type: "region_close", field: field.name, value });
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      if (this.#raises) this.#fail(error.kind, error.message, field, begin);
      this.#events.push({ type: "region_malformed", field: field.name, text, kind: error.kind });
    }
  }

  /** Writes a region's value to the message (MESSAGE-1 to MESSAGE-4). @param {Field} field @param {Json} value */
  #store({ name, join, repeats }, value) {
    const before = this.#message.get(name);
    if (join !== undefined) {
      if (typeof value !== "string") throw new Malformed("join-not-string", `this is ${typeName(value)}, not a string`);
      const values = this.#joined.get(name) ?? (before === undefined ? [] : [before]);
      values.push(value);
      this.#joined.set(name, values);
      this.#message.set(name, ""); // the text is made when it's asked for, once for all values
    } else if (repeats && Array.isArray(before)) {
      before.push(value);
    } else {
      this.#message.set(name, repeats ? [value] : value);
    }
  }

  /** @param {string} kind @param {string} reason @param {Field} field @param {number} point @returns {never} */
  #fail(kind, reason, { name: field }, point) {
    const position = point - this.#generation;
    const error = new ParseError(kind, `field ${field}, code point ${position} of the generation: ${reason}`);
    this.#failure = Object.assign(error, { field, position, events: this.#events, messageSoFar: this.messageSoFar });
    throw error;
  }
}

/** @param {unknown} text @returns {string} */
function asText(text) {
  if (typeof text === "string") return text;
  throw new ParserStateError("not-text", `text is a string, not ${typeName(text)}`);
}
