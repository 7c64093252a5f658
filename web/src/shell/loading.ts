/** In words how far loading is. */

import type { Progress } from "../../interop/src/engine";

export function loadingText(progress: Progress | null): string {
  if (!progress) return "Loading Python";
  if (progress.step === "start") return "Starting Python";
  const [loaded, total] = [progress.loaded, progress.total].map(megabytes);
  return progress.total ? `Loading Python: ${loaded} of ${total} MB` : `Loading Python: ${loaded} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
