/** The browser's own engine, asked from the page: an answer within the time limit, or the worker is ended. */

import type { Answer, Request } from "./searches";

export const SECONDS = 2;

/** The newest question was another one. */
export class Superseded extends Error {}

let worker: Worker | undefined;
let busy: ((error: Error) => void) | undefined;

/** Rejects if the engine takes too long, or if something else is asked before it has answered. */
export function ask(request: Request): Promise<Answer> {
  busy?.(new Superseded());
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      busy = undefined;
    };
    const end = (error: Error) => {
      settle();
      worker?.terminate();
      worker = undefined;
      reject(error);
    };
    const timer = setTimeout(() => end(new Error(`stopped after ${SECONDS} s`)), 1000 * SECONDS);
    busy = end;
    worker ??= new Worker(new URL("./regexp.worker.ts", import.meta.url), { type: "module" });
    worker.onerror = (event) => end(new Error(event.message || "its worker couldn't be started"));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      settle();
      resolve(data);
    };
    worker.postMessage(request);
  });
}
