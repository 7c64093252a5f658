/** Texts as people can read them: what isn't printed as itself is escaped, long ones are shortened. */

/** Controls, line ends, directional marks, surrogates, unassigned code points; all spaces but the common one. */
const HIDDEN = /(?! )[\p{C}\p{Z}]/gu;
const SHORT: { [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** On one line, as the command line prints it. */
export const escaped = (text: string) => text.replace(HIDDEN, (character) => SHORT[character] ?? hex(character));

/** With its line ends and tabs as they are. */
export const escapedLines = (text: string) =>
  text.replace(HIDDEN, (character) => ("\n\t".includes(character) ? character : (SHORT[character] ?? hex(character))));

/** Not more than about `limit` units, with the middle left out. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [begin, end] = [Math.ceil(limit / 2), text.length - Math.floor(limit / 2)];
  return `${text.slice(0, begin)} …(${end - begin} more)… ${text.slice(end)}`;
}

/** As JSON on one line, in quotes. */
export const quoted = (text: string, limit = Infinity) => escaped(JSON.stringify(shortened(text, limit)));

/** "12,345". */
export const digits = (count: number) => count.toLocaleString("en");

/** "1 case", "2 cases". */
export const counted = (count: number, noun: string) => `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;

/** What is thrown, in words. */
export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A text as a sentence of its own. */
export const sentence = (text: string) => `${capitalised(text)}.`;

/** A time (ISO 8601, UTC) to the minute. */
export const minuteOf = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`;

function hex(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
