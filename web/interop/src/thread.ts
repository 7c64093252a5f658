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
    ask: async (request, seconds) => plain(await within(seconds, answering(answer, request as ToAnswer))),
    restart: () => ("restart" in adapter ? adapter.restart?.() : undefined),
  };
}

function answerOf(adapter: Adapter): Answering {
  if (typeof adapter === "function") return adapter;
  return "answer" in adapter ? adapter.answer.bind(adapter) : adapterOf(adapter);
}

async function answering(answer: Answering, request: ToAnswer): Promise<Hello | Result> {
  try {
    return await answer(request);
  } catch (error) {
    throw new Error(`crashed: ${error}`);
  }
}

/** An answer as it would come from another process: nothing is shared, all is JSON. */
function plain(answer: unknown): Json {
  const source = JSON.stringify(answer);
  if (source === undefined) throw new Error(`invalid response: ${String(answer)} isn't JSON`);
  return JSON.parse(source) as Json;
}
