/** A case of the suite in the playground. */

import { tabs } from "../shell/tabs.svelte";
import { sources } from "../state.svelte";
import type { Described } from "./describing";

type Given = NonNullable<Described["case"]>;

/** Whether the playground can show it: there a stream always has a prefix. */
export const isPlayable = ({ prefix }: Given) => prefix !== null;

export function play(id: string, { template, prefix, text, tools, options, proposals }: Given) {
  sources.put({
    template: JSON.stringify(template, null, 2),
    prefix: prefix ?? "",
    text,
    tools: tools === null ? "" : JSON.stringify(tools, null, 2),
    onMalformed: options.on_malformed ?? "raise",
    proposals,
    title: id,
  });
  tabs.open("playground");
}
