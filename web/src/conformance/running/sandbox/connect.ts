/** A user's module in a sandbox: a hidden frame without an origin, with a policy of its own (sandbox.html). */

import type { Place } from "../process";
import type { FromWorker, Origin, Ready, ToFrame } from "../messages";

/** Where workers run the module, one after the other. */
export class Sandbox implements Place {
  #frame: HTMLIFrameElement | undefined;
  #ready: Promise<Window> | undefined;

  constructor(readonly origin: Origin) {}

  open(heard: (message: FromWorker) => void) {
    const { port1: port, port2: other } = new MessageChannel();
    const post = (message: ToFrame) => port.postMessage(message);
    port.onmessage = ({ data }: MessageEvent<FromWorker>) => heard(data);
    this.#ready ??= this.#make();
    this.#ready.then((frame) => frame.postMessage(this.origin, "*", [other])); // it has no origin that could be named
    return { ask: (request: string) => post({ ask: request }), close: () => post({ end: true }) };
  }

  dispose() {
    this.#frame?.remove(); // and with it its worker
    this.#frame = this.#ready = undefined;
  }

  /** The frame, when it listens. */
  #make(): Promise<Window> {
    const frame = document.createElement("iframe");
    frame.sandbox.add("allow-scripts");
    frame.hidden = true;
    frame.title = "Sandbox";
    frame.src = "sandbox.html";
    this.#frame = frame;
    return new Promise((resolve) => {
      addEventListener("message", function greeted({ data, source }) {
        if (source === null || source !== frame.contentWindow || data !== ("antiphon sandbox" satisfies Ready)) return;
        removeEventListener("message", greeted);
        resolve(frame.contentWindow);
      });
      document.body.append(frame);
    });
  }
}
