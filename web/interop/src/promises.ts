/** Promises, with ends that come from elsewhere. */

/** A promise that is awaited later, if ever: its rejection isn't one that nobody handles. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What a promise comes to; rejects when the signal says so. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) handled(promise);
  signal.throwIfAborted();
  const { promise: aborted, reject } = withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

/** What a promise comes to; rejects if that takes longer. */
export async function within<T>(seconds: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${seconds} s`)), 1000 * seconds);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function withResolvers<T>() {
  let resolve!: (value: T) => void, reject!: (reason: unknown) => void;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
