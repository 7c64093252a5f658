/** What the list of cases shows; the table of topics sets it, too. */

import type { Filter } from "./cases";

const ALL: Filter = { search: "", topic: "", side: "", outcome: "", level: "events", clause: "", differences: false };

export const filter = $state<Filter>({ ...ALL });

/** All cases but for these wishes. The level stays. */
export function show(wishes: Partial<Filter>) {
  Object.assign(filter, { ...ALL, level: filter.level, ...wishes });
}
