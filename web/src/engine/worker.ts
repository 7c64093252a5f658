/** The reference in a worker: it answers calls, one after the other, in the order in which they come. */

import type { Failure } from "../../interop/src/api";
import { AntiphonError, Engine, type Progress } from "../../interop/src/engine";
import { reasonOf } from "../shown";

export type ToWorker = { id: number; name: string; request: unknown };
export type FromWorker =
  | { id: number; ok: unknown }
  | { id: number; error: Failure }
  | { ready: true }
  | { failed: string }
  | { progress: Progress };

const tell = (message: FromWorker) => postMessage(message);

const engine = Engine.load({
  runtime: new URL(/* @vite-ignore */ "../runtime/", import.meta.url),
  onProgress: (progress) => tell({ progress }),
});
engine.then(
  () => tell({ ready: true }),
  (error) => tell({ failed: reasonOf(error) }),
);

/** The failure for what isn't the caller's: a file that can't be loaded, Python itself. */
function broken(error: unknown): Failure {
  return { stage: "state", kind: "internal", message: reasonOf(error) };
}

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  try {
    tell({ id: data.id, ok: await (await engine).ask(data.name as never, data.request as never) });
  } catch (error) {
    tell({ id: data.id, error: error instanceof AntiphonError ? error.failure : broken(error) });
  }
};
