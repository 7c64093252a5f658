/** A case of the suite in the playground. */

import { byHand } from "../playground/chunking";
import { put } from "../playground/stage.svelte";
import { tabs } from "../shell/tabs.svelte";
import type { Described } from "./describing";

type Given = NonNullable<Described["case"]>;

/** Whether the playground can show it: there a stream always has a prefix. */
export const isPlayable = ({ prefix }: Given) => prefix !== null;

/** From its beginning, and in the first chunks that it lists. */
export function play(id: string, { template, prefix, text, tools, options, proposals, chunkings: [cuts] }: Given) {
  const written = {
    template: JSON.stringify(template, null, 2),
    prefix: prefix ?? "",
    text,
    tools: tools === null ? "" : JSON.stringify(tools, null, 2),
    onMalformed: options.on_malformed ?? "raise",
    proposals,
    title: id,
  };
  put(written, { chunking: cuts && byHand(cuts), moment: 0 });
  tabs.open("playground");
}
