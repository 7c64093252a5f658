// @ts-check
/** Response templates in JavaScript, for browsers and Node: this is the port's public interface. */

import { ResponseParser } from "./src/parser.mjs";

/** @import { Options, Template } from "./types.d.ts" */

export { ParseError, ParserStateError, TemplateError } from "./src/errors.mjs";
export { loadTemplate } from "./src/template.mjs";
export { ResponseParser };

/**
 * The message of a complete generation.
 * @param {string} text
 * @param {Template} template
 * @param {Options} options
 * @throws as `ResponseParser` and its methods do
 */
export function parseResponse(text, template, options) {
  const parser = new ResponseParser(template, options);
  parser.feed(text);
  return parser.finalize().message;
}
