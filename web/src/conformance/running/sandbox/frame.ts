/**
 * The sandbox's page: a frame without an origin, in which a worker runs somebody's module. It hands on one answer for
 * each request, and ends the worker if it says more, so that a flood ends here.
 */

import type { FromWorker, Origin, Ready, ToFrame, ToWorker } from "../messages";

/** The code of worker.ts; the build puts it in (build.ts). */
declare const WORKER: string;

const LONGEST_ANSWER = 64_000_000; // units of JSON
const LONGEST_FAULT = 1000; // units

const file = (text: string) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));

/** From here on, code is taken from these places only. What is in the policy already stays forbidden. */
function allowOnly(sources: string) {
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `script-src ${sources} 'wasm-unsafe-eval'; worker-src ${sources}`;
  document.head.append(meta);
}

/** What a worker said, if it is something that it may say. */
function checked(said: unknown): FromWorker {
  const { loaded, answer, fault } = Object(said) as Record<string, unknown>;
  if (loaded === true) return { loaded };
  if (typeof answer === "string" && answer.length <= LONGEST_ANSWER) return { answer };
  return {
    fault: typeof fault === "string" ? fault.slice(0, LONGEST_FAULT) : "crashed: its answer is too long, or none",
  };
}

function start(origin: Origin, port: MessagePort) {
  const address = "source" in origin ? file(origin.source) : origin.address;
  allowOnly("source" in origin ? "blob:" : `blob: ${new URL(address).origin}`);
  const worker = new Worker(file(WORKER));
  let asked = 1; // it is asked to load the module first
  const end = (ended: string) => {
    worker.terminate();
    worker.onmessage = worker.onerror = null; // a flood has more under way
    port.postMessage({ ended } satisfies FromWorker);
  };
  worker.onmessage = ({ data }) => {
    if (asked-- > 0) port.postMessage(checked(data));
    else end("crashed: it said something that it wasn't asked for");
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(`crashed: ${event.message || "its worker couldn't be started"}`);
  };
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if ("end" in data) return worker.terminate();
    asked++;
    worker.postMessage(data satisfies ToWorker);
  };
  worker.postMessage({ load: address } satisfies ToWorker);
}

addEventListener("message", ({ data, source, ports: [port] }: MessageEvent<Origin>) => {
  if (source === parent && port) start(data, port);
});
parent.postMessage("antiphon sandbox" satisfies Ready, "*");
