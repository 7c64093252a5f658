/** Implementations in this thread. There a time limit counts for promises only: a call that hangs, hangs the thread. */

import type { Json } from "./api.js";
import type { Implementation } from "./conformance.js";
import { adapterOf } from "./port.js";
import type { Port } from "./port.js";
import { within } from "./promises.js";
import type { Hello, HelloRequest, Result, RunRequest } from "./protocol.js";

type ToAnswer = HelloRequest | RunRequest;

/** A function that answers the messages of the protocol. */
export type Answering = (request: ToAnswer) => Hello | Result | Promise<Hello | Result>;

/** What can be tested: such a function, an object with one, or a port with the interface of the reference. */
export type Adapter = Answering | { answer: Answering; restart?: () => void | Promise<void> } | Port;

export function inThisThread(adapter: Adapter): Implementation {
  const answer = answerOf(adapter);
  return {
    ask: async (request, seconds) => parsed(await within(seconds, answering(answer, request as ToAnswer))),
    restart: () => ("restart" in adapter ? adapter.restart?.() : undefined),
  };
}

/** Throws for what can't be tested. */
function answerOf(adapter: Adapter): Answering {
  if (typeof adapter === "function") return adapter;
  const { answer, createParser } = Object(adapter) as { answer?: Answering; createParser?: unknown };
  if (typeof answer === "function") return answer.bind(adapter);
  if (typeof createParser === "function") return adapterOf(adapter as Port);
  throw new Error("the adapter has no function `createParser`, or `answer`, and isn't a function; give one that has");
}

/** The answer as it would come from another process: nothing is shared, all is JSON, or nothing. */
async function answering(answer: Answering, request: ToAnswer): Promise<string | undefined> {
  try {
    return JSON.stringify(await answer(request));
  } catch (error) {
    throw new Error(`crashed: ${said(error)}`);
  }
}

function parsed(source: string | undefined): Json {
  if (source === undefined) throw new Error("invalid response: what it returned isn't JSON");
  return JSON.parse(source) as Json;
}

/** What was thrown, which may be anything: even looking at it may throw. */
function said(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "what it threw can't be told";
  }
}
