/** Why there is no answer, in words for people. */

import type { Failure } from "../../interop/src/api";
import { AntiphonError } from "../../interop/src/engine";
import { Stopped } from "../engine/client";
import { capitalised, escaped, reasonOf } from "../shown";

export function troubleOf(error: unknown): string {
  if (error instanceof Stopped) {
    return `Stopped after ${error.seconds} s: the template's patterns take too long on this text.`;
  }
  return escaped(error instanceof AntiphonError ? refusal(error.failure) : reasonOf(error));
}

function refusal({ stage, kind, message, pointer }: Failure): string {
  if (stage !== "load") return message;
  if (kind === "json") return capitalised(message); // it names the editor
  const what = kind === "invalid-tools" ? "tools" : "template";
  return `The ${what} can't be used: ${message}${pointer && !message.startsWith(pointer) ? ` (${pointer})` : ""}`;
}
