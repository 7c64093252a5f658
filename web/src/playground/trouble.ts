/** Why there is no answer, in words for people. */

import type { Failure } from "../../interop/src/api";
import { AntiphonError } from "../../interop/src/engine";
import { Stopped } from "../engine/client";
import { capitalised, escaped, reasonOf, sentence } from "../shown";

export function troubleOf(error: unknown): string {
  if (error instanceof AntiphonError) return escaped(refusal(error.failure));
  return error instanceof Stopped ? sentence(error.message) : escaped(reasonOf(error));
}

function refusal({ stage, kind, message, pointer }: Failure): string {
  if (kind === "option") return `${capitalised(message)}. Take it out under Tools and options.`;
  if (stage !== "load" || kind === "input" || kind === "chat-template") return message; // which names it
  if (kind === "json") return capitalised(message); // it names the editor
  const what = kind === "invalid-tools" ? "tools" : "template";
  return `The ${what} can't be used: ${message}${pointer && !message.startsWith(pointer) ? ` (${pointer})` : ""}`;
}
