/** From a keystroke to the drawn answer: the measure `antiphon:keystroke` of the browser's timeline. */

let pending: number | null = null;

/** The page got an input at this time. */
export function inputAt(time: number) {
  pending ??= time;
}

/** The answer to the newest input has been put into the document: the measure ends when the browser has drawn it. */
export function answered() {
  if (pending === null) return;
  const start = pending;
  pending = null;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      performance.measure("antiphon:keystroke", { start, end: performance.now() });
    };
    port2.postMessage(null);
  });
}
