/** The JavaScript port, in a worker. */

import type { Place } from "./process";
import type { FromWorker, ToWorker } from "./messages";

export const port: Place = {
  open(heard) {
    const worker = new Worker(new URL("./port.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => heard(data);
    worker.onerror = (event) => heard({ ended: `crashed: ${event.message || "its worker couldn't be started"}` });
    return {
      ask: (request) => worker.postMessage({ ask: request } satisfies ToWorker),
      close: () => worker.terminate(),
    };
  },
  dispose() {}, // its workers are all there is
};
