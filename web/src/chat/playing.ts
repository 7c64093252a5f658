/** A conversation of the round trip in the playground, with the response template as it is here. */

import type { TripResult } from "../../interop/src/api";
import { put } from "../playground/stage.svelte";
import { tabs } from "../shell/tabs.svelte";
import { chat } from "../state.svelte";

interface Given {
  template: string;
  prefix: string;
  text: string;
  tools?: string;
  /** What is shown. */
  about: string;
}

export function play({ template, prefix, text, tools = "", about }: Given) {
  const { template: chatTemplate, tokens: specialTokens, config } = chat;
  const title = `${chat.title || "Derived"}: ${about}`;
  put({ template, prefix, text, tools, chatTemplate, specialTokens, config, title });
  tabs.open("playground");
}

export function playResult(template: string, { feature, prompt = "", text = "", given: { tools } }: TripResult) {
  play({ template, prefix: prompt, text, tools: tools.length ? JSON.stringify(tools, null, 2) : "", about: feature });
}
