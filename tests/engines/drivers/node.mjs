// JavaScript's RegExp. Lines of JSON as in ../protocol.py; strings are UTF-16 here, positions go out as code points.
import { createInterface } from "node:readline";

// How many code points are before a unit of UTF-16; -1 within a surrogate pair, where no search may stop.
const codePoints = (text, unit) => {
  let count = 0;
  let at = 0;
  for (; at < unit; count++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at === unit ? count : -1;
};

const span = (text, pair) => pair && pair.map((unit) => codePoints(text, unit));

const search = (regex, text, groups) => {
  try {
    const match = regex.exec(text);
    if (match === null) return null;
    const found = match.indices.groups ?? {};
    const named = groups.map((name) => [name, span(text, found[name]) ?? null]);
    return { span: span(text, match.indices[0]), groups: Object.fromEntries(named) };
  } catch (error) {
    return { failed: String(error) };
  }
};

const answer = ({ pattern, flags, texts, groups }) => {
  if (pattern === undefined) return { version: `Node ${process.versions.node}, V8 ${process.versions.v8}` };
  let regex;
  try {
    regex = new RegExp(pattern, flags + "d");
  } catch (error) {
    return { error: String(error) };
  }
  return { results: texts.map((text) => search(regex, text, groups)) };
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
}
