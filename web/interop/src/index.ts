/** The reference for JavaScript: response templates as SPEC.md has them, and the suite for other implementations. */

import type { Calls, Json, Message } from "./api.js";
import { runConformance as run } from "./conformance.js";
import type { RunOptions } from "./conformance.js";
import { Engine } from "./engine.js";
import type { Progress } from "./engine.js";
import type { Outcome } from "./outcome.js";
import { Parser, sourceOf } from "./parser.js";
import type { ParseOptions, Template } from "./parser.js";
import type { Dialect, Patterns } from "./protocol.js";
import { NoRuntime } from "./runtime.js";
import type { Adapter } from "./thread.js";
import { VERSION } from "./version.js";

export type { Event, Failure, Json, Message, Problem } from "./api.js";
export type { Position, RunOptions } from "./conformance.js";
export { AntiphonError } from "./engine.js";
export type { Progress } from "./engine.js";
export type { Failing, Outcome, Tally } from "./outcome.js";
export type { Parser, ParseOptions, Template } from "./parser.js";
export type { Port, PortOptions, PortParser } from "./port.js";
export { CONTENTS, FEATURES } from "./protocol.js";
export type { Dialect, Hello, HelloRequest, Patterns, Result, RunRequest } from "./protocol.js";
export type { CaseFailure, CaseResult, Implementation, Level, Report } from "./report.js";
export type { Adapter, Answering } from "./thread.js";

export interface LoadOptions {
  /** The folder with the runtime's files. Default: where they are in this package. */
  runtime?: string | URL;
  onProgress?: (progress: Progress) => void;
}

/** What runs here: the versions of the kit, its suite, Python, and the regex engine that the reference found. */
export type Versions = Calls["versions"]["answer"];
/** What is wrong with a template or its tools, and what the lint says. */
export type Check = Calls["check"]["answer"];

const RUNTIME = "./runtime/"; // a name, lest bundlers take the folder for a file to be bundled

/**
 * Loads Python and the reference into this thread; each time anew. Throws if the runtime isn't there, or isn't whole.
 */
export async function load(options: LoadOptions = {}): Promise<Reference> {
  const { runtime = new URL(RUNTIME, import.meta.url), onProgress } = options;
  const engine = await Engine.load({ runtime, onProgress }).catch((error: unknown) => {
    if (!(error instanceof NoRuntime)) throw error;
    throw new Error(`${error.message}; give the folder with the reference's runtime as \`runtime\``);
  });
  const versions = engine.call("versions", {});
  if (versions.antiphon !== VERSION) {
    const found = `the runtime in ${runtime} is of antiphon ${versions.antiphon}, not ${VERSION}`;
    throw new Error(`${found}; copy the one of this package`);
  }
  return new Reference(engine, versions);
}

/** The reference. Its methods throw AntiphonError. */
export class Reference {
  constructor(
    private readonly engine: Engine,
    readonly versions: Versions,
  ) {}

  /** The message of a complete generation. */
  parseResponse(text: string, template: Template, options?: ParseOptions): Message {
    const parser = this.createParser(template, options);
    try {
      parser.feed(text);
      return parser.finalize().message;
    } finally {
      parser.free();
    }
  }

  /** A parser for one stream. */
  createParser(template: Template, options?: ParseOptions): Parser {
    return new Parser(this.engine, template, options);
  }

  /** Whether a template can be used, and what is worth knowing of it; nothing is thrown for a faulty one. */
  check(template: Template, tools: Json[] | null = null): Check {
    return this.engine.call("check", { template: sourceOf(template), tools: tools ? JSON.stringify(tools) : "" });
  }

  /** The patterns of a template for a regex engine, as `antiphon translate` writes them. */
  patterns(template: Template, dialect: Dialect): Patterns {
    return this.engine.call("table", { template: sourceOf(template), dialect });
  }

  /** Runs the suite against an implementation in this thread. What it does wrong is in the outcome, never thrown. */
  runConformance(adapter: Adapter, options?: RunOptions): Promise<Outcome> {
    return run((name, request) => this.engine.ask(name, request), adapter, options);
  }
}

/** Loads the reference, and runs the suite against an implementation in this thread. */
export async function runConformance(
  adapter: Adapter,
  { runtime, ...options }: RunOptions & Pick<LoadOptions, "runtime"> = {},
): Promise<Outcome> {
  return (await load({ runtime })).runConformance(adapter, options);
}
