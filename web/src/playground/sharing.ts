/** A link that holds what is in all editors, and shows it as it is shown now. */

import { copy } from "../files";
import { chat, sources } from "../state.svelte";
import { LONG_LINK, pack, type Shared, type SharedChat } from "./share";
import { scrub } from "./stage.svelte";

/** Puts it into the address and the clipboard; what is to be said of that. Rejects if no link can hold all. */
export async function share(tab?: "chat"): Promise<string> {
  const hash = await pack({ ...shared(), ...(tab && { tab }) }, location.href.split("#")[0]!);
  history.replaceState(null, "", hash);
  const copied = await copy(location.href);
  const where = copied ? "The link is in the clipboard." : "The link is in the address bar: copy it from there.";
  if (hash.length <= LONG_LINK) return where;
  return `${where} It has ${Math.ceil(hash.length / 1000)} KB, which some programs cut off: save a case instead.`;
}

function shared(): Shared {
  return {
    template: sources.template,
    prefix: sources.prefix,
    text: sources.text,
    tools: sources.tools,
    ...(sources.onMalformed === "event" && { onMalformed: "event" }),
    ...(sources.proposals.length && { proposals: sources.proposals }),
    ...(sources.title && { title: sources.title }),
    chunking: scrub.chunking,
    unit: scrub.unit,
    ...(scrub.moment < scrub.last && { moment: scrub.moment }),
    ...(chat.template && { chat: sharedChat() }),
  };
}

function sharedChat(): SharedChat {
  const { template, tokens, dialect, response, title } = chat;
  return {
    template,
    tokens,
    ...(dialect === "hugging-face" && { dialect }),
    ...(response !== undefined && { response }),
    ...(title && { title }),
  };
}
