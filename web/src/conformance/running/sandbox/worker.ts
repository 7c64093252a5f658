/**
 * Runs in a worker of the sandbox: imports a module, and answers each request with what its `answer` returns.
 *
 * The module shares this worker and may change whatever it likes in it, so nothing that comes out is trusted outside.
 */

import type { FromWorker, ToWorker } from "../messages";

const { stringify, parse } = JSON;
const post = postMessage.bind(self) as (message: FromWorker) => void;
let answer: (request: unknown) => unknown;

async function load(address: string) {
  const module = await import(/* @vite-ignore */ address);
  answer = module.answer ?? module.default?.answer;
  if (typeof answer !== "function") throw new TypeError("the module doesn't export a function `answer`");
  post({ loaded: true });
}

async function ask(request: string) {
  const text = stringify(await answer(parse(request)));
  post(text === undefined ? { fault: "crashed: `answer` returned nothing that JSON has" } : { answer: text });
}

const crash = (error: unknown) => post({ fault: `crashed: ${said(error)}` });

/** What was thrown, which may be anything: even looking at it may throw. */
function said(error: unknown): string {
  try {
    return String(error);
  } catch {
    return "what it threw can't be told";
  }
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("load" in data) load(data.load).catch((error) => post({ fault: said(error) }));
  else ask(data.ask).catch(crash);
};

/** A promise that nobody awaits. In a process of its own, that would be its end. */
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  crash(event.reason);
});
