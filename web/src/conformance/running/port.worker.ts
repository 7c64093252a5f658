/** The JavaScript port in a worker: the same `answer` that its adapter has behind pipes. */

import { answer } from "../../../../conformance/adapters/javascript/src/answer.mjs";
import type { FromWorker, ToWorker } from "./messages";

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("ask" in data) postMessage(said(data.ask));
};
postMessage({ loaded: true } satisfies FromWorker);

function said(request: string): FromWorker {
  try {
    return { answer: JSON.stringify(answer(JSON.parse(request))) };
  } catch (error) {
    return { fault: `crashed: ${error}` };
  }
}
