/** How a text is cut into chunks, and where the scrubber stops. Positions and cuts are code points of the text. */

import type { Text } from "../text";

export type Chunking =
  | { kind: "whole" }
  | { kind: "each" }
  | { kind: "every"; size: number }
  | { kind: "random"; seed: number }
  | { kind: "cuts"; cuts: number[] };

export type Unit = "point" | "piece" | "chunk";

/** The mean length of random chunks. */
const MEAN = 4;

export function cutsOf(chunking: Chunking, length: number): number[] {
  switch (chunking.kind) {
    case "whole":
      return [];
    case "each":
      return every(1, length);
    case "every":
      return every(Math.max(1, Math.floor(chunking.size)), length);
    case "random":
      return random(chunking.seed, length);
    case "cuts":
      return chunking.cuts.filter((cut) => 0 < cut && cut < length);
  }
}

/** Cuts as the page makes them: in order, each once. */
export function byHand(cuts: number[]): Chunking {
  return { kind: "cuts", cuts: [...new Set(cuts)].sort((one, other) => one - other) };
}

/** A list of cuts with this one added, or taken out if it is there. */
export function toggled(cuts: number[], cut: number): number[] {
  return cuts.includes(cut) ? cuts.filter((other) => other !== cut) : [...cuts, cut].sort((a, b) => a - b);
}

const PIECE = /[^\S\n]?[\p{L}\p{M}]+|\p{N}{1,3}|[^\S\n]?[^\s\p{L}\p{M}\p{N}]+|\n+|\s+/gu;

/**
 * The ends of pieces as a tokenizer might make them: a word with the space before it, up to three digits, marks, line
 * ends. No model's tokenizer does exactly this.
 */
function pieceEnds(text: Text): number[] {
  const ends: number[] = [];
  for (const match of text.string.matchAll(PIECE)) ends.push(text.point(match.index + match[0].length));
  return ends;
}

/** The moments at which the scrubber stops: from 0 to one more than the length, which is the end of the stream. */
export function stopsOf(unit: Unit, text: Text, cuts: number[]): number[] | null {
  if (unit === "point") return null;
  const ends = unit === "piece" ? pieceEnds(text) : [...cuts, text.length];
  return [...new Set([0, ...ends, text.length + 1])];
}

/** The next stop in this direction; without stops, every moment is one. */
export function nextStop(stops: number[] | null, moment: number, direction: 1 | -1, last: number): number {
  if (!stops) return Math.max(0, Math.min(moment + direction, last));
  if (direction > 0) return stops.find((stop) => stop > moment) ?? last;
  return stops.filter((stop) => stop < moment).at(-1) ?? 0;
}

function every(size: number, length: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil(length / size) - 1) }, (_, index) => (index + 1) * size);
}

function random(seed: number, length: number): number[] {
  const next = generator(seed);
  return Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1).filter(() => next() < 1 / MEAN);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
