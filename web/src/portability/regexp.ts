/** The browser's own engine, asked from the page: an answer within the time limit, or the worker is ended. */

import { Cancelled, Stopped } from "../engine/client";
import type { Answer, Request } from "./searches";

const SECONDS = 2;

let worker: Worker | undefined;
let busy: ((error: Error) => void) | undefined;

/**
 * Rejects with Stopped; with Cancelled, if something else is asked before it has answered; or if it can't be started.
 */
export function ask(request: Request): Promise<Answer> {
  busy?.(new Cancelled("something else was asked"));
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
    const timer = setTimeout(() => end(new Stopped("search", SECONDS)), 1000 * SECONDS);
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
