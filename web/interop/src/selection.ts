/** Which cases are run: globs as those of `--filter` (`antiphon_conformance/cases/selection.py`). */

import type { CaseHead } from "./api.js";

/** What leaves only the required cases. */
export const REQUIRED_ONLY = ["!optional/*", "!proposals/*"];

/** The cases that globs choose. Throws if there are none. */
export function select(cases: CaseHead[], filter: string[]): CaseHead[] {
  const without = filter.filter((glob) => glob.startsWith("!")).map((glob) => matcher(glob.slice(1)));
  const wanted = filter.filter((glob) => !glob.startsWith("!")).map(matcher);
  const fits = ({ id, clauses }: CaseHead) => (glob: RegExp) => [id, ...clauses].some((name) => glob.test(name));
  const chosen = cases.filter((one) => (!wanted.length || wanted.some(fits(one))) && !without.some(fits(one)));
  if (!chosen.length) {
    const topics = [...new Set(cases.map(({ topic }) => topic))].sort().join(", ");
    throw new Error(`no case matches ${filter.join(" and ")}, by its whole id or a clause; the topics are ${topics}`);
  }
  return chosen;
}

/** A shell pattern, in which `*` also crosses slashes. */
function matcher(glob: string): RegExp {
  const pattern = glob.replace(/\[(!?)(\]?[^\]]*)\]|[\s\S]/gu, (part: string, not?: string, set?: string) => {
    if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\\]^[]/g, "\\$&")}]`;
    return part === "*" ? ".*" : part === "?" ? "." : part.replace(/[\\^$.|+(){}[\]]/, "\\$&");
  });
  return new RegExp(`^(?:${pattern})$`, "su");
}
