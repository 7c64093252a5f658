/** The reference in a worker: it answers calls, one after the other, in the order in which they come. */

import { Engine, AntiphonError, type Progress } from "../../interop/src/engine";
import type { Failure } from "../../interop/src/api";

export type Request = { id: number; name: string; request: unknown };
export type Response =
  | { id: number; ok: unknown }
  | { id: number; error: Failure }
  | { ready: true }
  | { failed: string }
  | { progress: Progress };

const tell = (response: Response) => postMessage(response);

const engine = Engine.load({
  runtime: new URL(/* @vite-ignore */ "../runtime/", import.meta.url),
  onProgress: (progress) => tell({ progress }),
});
engine.then(
  () => tell({ ready: true }),
  (error) => tell({ failed: error instanceof Error ? error.message : String(error) }),
);

/** The failure for what isn't the caller's: a file that can't be loaded, Python itself. */
function broken(error: unknown): Failure {
  return { stage: "state", kind: "internal", message: error instanceof Error ? error.message : String(error) };
}

onmessage = async ({ data }: MessageEvent<Request>) => {
  try {
    tell({ id: data.id, ok: await (await engine).ask(data.name as never, data.request as never) });
  } catch (error) {
    tell({ id: data.id, error: error instanceof AntiphonError ? error.failure : broken(error) });
  }
};
