/**
 * Links that hold everything: `#1=` and the state as JSON, compressed (raw deflate), in base64url. The number is the
 * version of what stands behind it.
 */

import { byHand, type Chunking, type Unit } from "./chunking";

export interface Shared {
  template: string;
  prefix: string;
  text: string;
  tools: string;
  onMalformed?: "event";
  proposals?: string[];
  title?: string;
  chunking?: Chunking;
  unit?: Unit;
  moment?: number;
  chat?: SharedChat;
  /** The tab that is shown, if it isn't the playground. */
  tab?: "chat";
}

/** Of the tab of chat templates; `response`, if it was edited. */
export interface SharedChat {
  template: string;
  tokens?: { [name: string]: string };
  dialect?: "hugging-face";
  response?: string;
  title?: string;
}

const HEAD = "#1=";
/** Some programs cut off longer links. */
export const LONG_LINK = 30_000;
/** What a link may hold, in bytes before it's packed: no other is made, or read. */
const LARGEST = 20_000_000;
/** What Chromium takes as an address, in characters; others take less or more. */
const LONGEST_ADDRESS = 2_097_152;

/** No link can hold that. */
class TooLarge extends Error {
  constructor() {
    super("This is too large for a link. Save all as a case instead, or the template.");
  }
}

/** The link was broken on the way, or is of a version that isn't known here. */
class BadLink extends Error {}

export function isShared(hash: string): boolean {
  return /^#\d+=/.test(hash);
}

/** The link, as the fragment of a page's address. Rejects with TooLarge. */
export async function pack(shared: Shared, page: string): Promise<string> {
  const source = JSON.stringify(shared); // escapes lone surrogates, which UTF-8 couldn't carry
  const bytes = new TextEncoder().encode(source);
  if (bytes.length > LARGEST) throw new TooLarge();
  const hash = HEAD + base64url(await through(bytes, new CompressionStream("deflate-raw"), Infinity));
  if (page.length + hash.length > LONGEST_ADDRESS) throw new TooLarge();
  return hash;
}

/** Rejects with BadLink. */
export async function unpack(hash: string): Promise<Shared> {
  if (!hash.startsWith(HEAD)) throw new BadLink("This link was made by another version of the page.");
  try {
    const bytes = await through(unbase64url(hash.slice(HEAD.length)), new DecompressionStream("deflate-raw"), LARGEST);
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    throw new BadLink("This link is broken: perhaps its end was cut off. Ask for it again.");
  }
}

function checked(value: unknown): Shared {
  if (!value || typeof value !== "object") throw new TypeError();
  const { template, prefix, text, tools, onMalformed, proposals, title, chunking, unit, moment } = value as Shared;
  const { chat, tab } = value as Shared;
  for (const one of [template, prefix, text, tools]) if (typeof one !== "string") throw new TypeError();
  return {
    template,
    prefix,
    text,
    tools,
    ...(onMalformed === "event" && { onMalformed }),
    ...(Array.isArray(proposals) && { proposals: proposals.map(String) }),
    ...(typeof title === "string" && { title }),
    ...(isChunking(chunking) && { chunking: chunking.kind === "cuts" ? byHand(chunking.cuts) : chunking }),
    ...((unit === "piece" || unit === "chunk") && { unit }),
    ...(Number.isInteger(moment) && { moment: moment! }),
    ...(chat && { chat: checkedChat(chat) }),
    ...(tab === "chat" && { tab }),
  };
}

function checkedChat({ template, tokens, dialect, response, title }: SharedChat): SharedChat {
  if (typeof template !== "string") throw new TypeError();
  const named = Object.entries(tokens ?? {}).filter(([, token]) => typeof token === "string");
  return {
    template,
    ...(named.length && { tokens: Object.fromEntries(named) }),
    ...(dialect === "hugging-face" && { dialect }),
    ...(typeof response === "string" && { response }),
    ...(typeof title === "string" && { title }),
  };
}

function isChunking(value: unknown): value is Chunking {
  if (!value || typeof value !== "object") return false;
  const chunking = value as Chunking;
  switch (chunking.kind) {
    case "whole":
    case "each":
      return true;
    case "every":
      return Number.isInteger(chunking.size) && chunking.size > 0;
    case "random":
      return Number.isFinite(chunking.seed);
    case "cuts":
      return Array.isArray(chunking.cuts) && chunking.cuts.every(Number.isInteger);
    default:
      return false;
  }
}

/** Rejects with TypeError for what isn't compressed, RangeError for what is too large. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, limit: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const piped = new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = piped.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > limit) throw new RangeError();
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function unbase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
}
