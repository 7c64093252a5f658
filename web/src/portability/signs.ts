/** Verdicts of translations as signs, as the table of the portability room has them. */

import type { Translation } from "../../interop/src/api";

export type Verdict = Translation["verdict"];

export const SIGNS: { [verdict in Verdict]: { sign: string; style: string } } = {
  exact: { sign: "✓", style: "exact" },
  "exact under conditions": { sign: "c", style: "conditions" },
  approximate: { sign: "≈", style: "approximate" },
  unsupported: { sign: "–", style: "unsupported" },
};
