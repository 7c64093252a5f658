/** Cases as the suite at hand has them, to be read beside their results: each is asked for once. */

import type { Calls } from "../../interop/src/api";
import { pool } from "./running/pool";

export type Described = Calls["describe"]["answer"];

const asked = new Map<string, Promise<Described>>();

/** A case, and the texts of clauses. Rejects as the calls do. */
export function describe(id: string, clauses: string[]): Promise<Described> {
  const key = [id, ...clauses].join(" ");
  let found = asked.get(key);
  if (!found) {
    found = pool.call("describe", { case: id, clauses });
    found.catch(() => asked.delete(key));
    asked.set(key, found);
  }
  return found;
}
