/** JSON in lines, each with its parts, and whether it differs from what was there before. */

import type { Json } from "../../interop/src/api";
import { digits, quoted } from "../shown";

interface Part {
  kind: "key" | "string" | "atom" | "mark";
  text: string;
}

interface PrettyLine {
  indent: number;
  parts: Part[];
  changed: boolean;
}

/** Strings are shown up to so many units, and so many lines. */
const LONGEST = 4000;
const LINES = 1000;
/** Of a larger value only the beginning is looked at. */
const MOST_LINES = 100_000;

interface Raw {
  path: string;
  indent: number;
  parts: Part[];
}

/** `before`: what to compare with; null: nothing is marked. */
export function prettyLines(value: Json, before: Json): PrettyLine[] {
  const known = before === null ? null : new Set(rawLines(before).map(signature));
  const lines = rawLines(value).map((line) => ({
    indent: line.indent,
    parts: line.parts,
    changed: known !== null && !known.has(signature(line)),
  }));
  return lines.length > LINES ? windowOf(lines) : lines;
}

/** The lines around what changed, and how many are before and behind them. */
function windowOf(lines: PrettyLine[]): PrettyLine[] {
  const changed = Math.max(0, lines.findIndex((line) => line.changed));
  const from = Math.max(0, Math.min(changed - LINES / 2, lines.length - LINES));
  const rest = (count: number): PrettyLine[] =>
    count ? [{ indent: 0, parts: [mark(`… ${digits(count)} more lines`)], changed: false }] : [];
  return [...rest(from), ...lines.slice(from, from + LINES), ...rest(lines.length - from - LINES)];
}

function signature({ path, parts }: Raw): string {
  return `${path}\n${parts.map(({ text }) => text).join("").replace(/,$/, "")}`;
}

function rawLines(value: Json): Raw[] {
  const lines: Raw[] = [];
  write(lines, value, "", 0, [], "");
  return lines;
}

function write(lines: Raw[], value: Json, path: string, indent: number, lead: Part[], tail: string) {
  if (lines.length > MOST_LINES) return;
  const entries = entriesOf(value);
  if (!entries?.items.length) {
    lines.push({ path, indent, parts: [...lead, leaf(value), mark(tail)] });
    return;
  }
  const [begin, end] = entries.brackets;
  lines.push({ path, indent, parts: [...lead, mark(begin)] });
  for (const [index, [key, item]] of entries.items.entries()) {
    const named: Part[] = begin === "{" ? [{ kind: "key", text: quoted(key, LONGEST) }, mark(": ")] : [];
    write(lines, item, `${path}/${key}`, indent + 1, named, index < entries.items.length - 1 ? "," : "");
  }
  lines.push({ path: `${path}${end}`, indent, parts: [mark(end + tail)] });
}

function entriesOf(value: Json): { items: [string, Json][]; brackets: [string, string] } | null {
  if (value === null || typeof value !== "object") return null;
  if (Array.isArray(value)) return { items: value.map((item, index) => [String(index), item]), brackets: ["[", "]"] };
  return { items: Object.entries(value), brackets: ["{", "}"] };
}

function leaf(value: Json): Part {
  if (typeof value === "string") return { kind: "string", text: quoted(value, LONGEST) };
  return { kind: value !== null && typeof value === "object" ? "mark" : "atom", text: JSON.stringify(value) };
}

function mark(text: string): Part {
  return { kind: "mark", text };
}
