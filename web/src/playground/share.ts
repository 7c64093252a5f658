/**
 * Links that hold everything: `#1=` and the state as JSON, compressed (raw deflate), in base64url. The number is the
 * version of what stands behind it.
 */

import type { Chunking, Unit } from "./chunking";

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
}

const HEAD = "#1=";
/** Some programs cut off longer links. */
export const LONG_LINK = 30_000;
/** What a link may come to when it's unpacked, in bytes. */
const LARGEST = 20_000_000;

/** The link was broken on the way, or is of a version that isn't known here. */
class BadLink extends Error {}

export function isShared(hash: string): boolean {
  return /^#\d+=/.test(hash);
}

export async function pack(shared: Shared): Promise<string> {
  const source = JSON.stringify(shared); // escapes lone surrogates, which UTF-8 couldn't carry
  const bytes = new TextEncoder().encode(source);
  return HEAD + base64url(await through(bytes, new CompressionStream("deflate-raw"), Infinity));
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
  for (const one of [template, prefix, text, tools]) if (typeof one !== "string") throw new TypeError();
  return {
    template,
    prefix,
    text,
    tools,
    ...(onMalformed === "event" && { onMalformed }),
    ...(Array.isArray(proposals) && { proposals: proposals.map(String) }),
    ...(typeof title === "string" && { title }),
    ...(isChunking(chunking) && { chunking: inOrder(chunking) }),
    ...((unit === "piece" || unit === "chunk") && { unit }),
    ...(Number.isInteger(moment) && { moment: moment! }),
  };
}

/** With cuts as the page makes them: in order, each once. */
function inOrder(chunking: Chunking): Chunking {
  if (chunking.kind !== "cuts") return chunking;
  return { kind: "cuts", cuts: [...new Set(chunking.cuts)].sort((one, other) => one - other) };
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
