// @ts-check
/** The port as an adapter: a request a line on standard input, an answer a line on standard output. */

import { answer } from "./src/answer.mjs";

/** @type {string[]} */
let unfinished = []; // what has come of a line so far; a long one comes in many parts
process.stdin.setEncoding("utf8");
for await (const part of process.stdin) {
  const [first, ...rest] = part.split("\n");
  unfinished.push(first);
  for (const next of rest) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(unfinished.join(""))))}\n`);
    unfinished = [next];
  }
}
