/** The adapter of a port: answers to the protocol's messages, from a parser with the interface of the reference. */

import type { Event, Json, Message, OnMalformed } from "./api.js";
import { CONTENTS, FEATURES } from "./protocol.js";
import type { Dialect, Hello, HelloRequest, Patterns, Result, RunRequest, Stage } from "./protocol.js";

type Maybe<T> = T | Promise<T>;

/** A port under test. Its methods may be asynchronous. */
export interface Port {
  name: string;
  version?: string;
  /** The content kinds that it has; all of them, unless told otherwise. */
  contents?: string[];
  /** The pattern constructs that it has, by their slugs in DIALECT-3; all of them, unless told otherwise. */
  features?: string[];
  /** The extensions under discussion that it has (SPEC.md, annex B). */
  proposals?: string[];
  /** The engine for which it wants the patterns of templates translated; it gets them as `patterns`. */
  dialect?: Dialect | null;
  /**
   * A parser for one stream. All runs of a case get the same object as template, and the same patterns, so what is
   * made of them can be kept. Errors are objects with `kind`, and perhaps `pointer`, `field`, `position`, `events`
   * (those of the failing call) and `message`. Here they are errors of loading, unless they have `events`, or `stage`
   * says so. What is thrown without a `kind` is a crash.
   */
  createParser(template: Json, options: PortOptions): Maybe<PortParser>;
}

export interface PortOptions {
  /** null: the parser is made without one (PREFIX-1). */
  prefix: string | null;
  tools: Json[] | null;
  onMalformed: OnMalformed;
  patterns?: Patterns;
  proposals?: string[];
}

export interface PortParser {
  /** The events that the prefix determines; nothing: none. */
  initialEvents?: Event[];
  feed(text: string): Maybe<Event[]>;
  finalize(): Maybe<{ message: Message; events: Event[] }>;
}

/** Errors by which a port says that it lacks something (LEVEL-3). */
const LACKING = ["pattern-unavailable", "content-unavailable"];

interface Loaded {
  template: Json;
  patterns: Patterns | undefined;
}

export function adapterOf(port: Port): (request: HelloRequest | RunRequest) => Promise<Hello | Result> {
  let last: (Loaded & { source: string }) | undefined;

  /** The template of a run: the object of the run before, if it's the same one. */
  function loaded({ template, patterns }: RunRequest) {
    const source = JSON.stringify(template);
    if (last?.source !== source || patterns) last = { source, template, patterns };
    return last;
  }

  return async (request) => {
    if (request.type === "hello") return helloOf(port);
    return { type: "result", id: request.id, ...(await run(port, request, loaded(request))) };
  };
}

function helloOf({ name, version = "", contents = CONTENTS, features = FEATURES, ...port }: Port): Hello {
  const { proposals, dialect = null } = port;
  const more = proposals ? { proposals } : {};
  return { type: "hello", protocol: 1, name, version, language: "JavaScript", contents, features, ...more, dialect };
}

type Came = Omit<Result, "type" | "id">;

async function run(port: Port, request: RunRequest, { template, patterns }: Loaded): Promise<Came> {
  const came = { initial: [] as Event[], feeds: [] as Event[][] };
  let stage: Stage = "load";
  try {
    const parser = await port.createParser(template, optionsOf(request, patterns));
    came.initial = parser.initialEvents ?? [];
    stage = "feed";
    for (const chunk of request.chunks) came.feeds.push(await parser.feed(chunk));
    stage = "finalize";
    const { message, events } = await parser.finalize();
    return { ...came, final: events, message };
  } catch (thrown) {
    return failed(stage, told(thrown), came);
  }
}

function optionsOf({ prefix, tools, options, proposals }: RunRequest, patterns: Patterns | undefined): PortOptions {
  return {
    prefix,
    tools: tools as Json[] | null,
    onMalformed: options.on_malformed ?? "raise",
    ...(patterns ? { patterns } : {}),
    ...(proposals ? { proposals } : {}),
  };
}

/** What a port may tell with an error. */
interface Told {
  kind: string;
  message?: unknown;
  stage?: Stage;
  pointer?: unknown;
  field?: unknown;
  position?: unknown;
  events?: Event[];
}

/** An error of the format; all else is thrown on. */
function told(thrown: unknown): Told {
  const { kind } = (thrown ?? {}) as { kind?: unknown };
  if (typeof kind !== "string") throw thrown;
  return thrown as Told;
}

function failed(arose: Stage, error: Told, came: { initial: Event[]; feeds: Event[][] }): Came {
  const message = String(error.message ?? error.kind);
  if (LACKING.includes(error.kind)) return { unsupported: message };
  const stage = error.stage ?? (arose === "load" && error.events ? "prefix" : arose);
  const events = error.events ?? [];
  const described = { stage, kind: error.kind, ...placeOf(error), message };
  if (stage === "feed") return { ...came, feeds: [...came.feeds, events], error: described };
  if (stage === "finalize") return { ...came, final: events, error: described };
  return stage === "prefix" ? { initial: events, error: described } : { error: described };
}

function placeOf({ pointer, field, position }: Told) {
  return {
    ...(typeof pointer === "string" ? { pointer } : {}),
    ...(typeof field === "string" ? { field } : {}),
    ...(typeof field === "string" && typeof position === "number" ? { position } : {}),
  };
}
