/** How deeply JSON is nested, found in its text in time that grows with the length alone: it may be anything. */

/** Whether a text has more levels of lists and objects than these. */
export function isDeeper(source: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (const [part] of source.matchAll(/\\.|["[\]{}]/gs)) {
    if (part === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (part === "[" || part === "{") depth++;
    else if (part === "]" || part === "}") depth--;
    if (depth > most) return true;
  }
  return false;
}
