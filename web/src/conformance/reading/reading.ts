/** Reads the files of reports. */

import acceptsReport from "virtual:accepts-report";
import type { Report } from "../../../interop/src/report";
import { isDeeper } from "../depth";
import { pool } from "../running/pool";

const LARGEST = 100_000_000; // bytes, unpacked

/**
 * Levels of lists and objects. A report has less than ten; many thousands are more than Python can stand in a browser.
 */
const DEEPEST = 100;

/** The report in a file. Rejects, in words, if there is none in it. */
export async function read(file: File): Promise<Report> {
  const source = await textOf(file);
  if (isDeeper(source, DEEPEST)) throw new Error("isn't a report: it is nested too deeply");
  const document = parsed(source);
  if (acceptsReport(document) && !Number.isNaN(Date.parse((document as Report).created))) return document as Report;
  return pool.call("read_report", { source, name: file.name }); // it says what is wrong
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** The text of a file, which gzip may have compressed. */
async function textOf(file: File): Promise<string> {
  const bytes = file.name.endsWith(".gz") ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let size = 0;
  try {
    for (const reader = bytes.getReader(); size <= LARGEST;) {
      const { done, value } = await reader.read();
      if (done) return parts.join("") + decoder.decode();
      size += value.length;
      parts.push(decoder.decode(value, { stream: true }));
    }
  } catch {
    throw new Error("it can't be read as text; choose a JSON report (.json, or .json.gz)");
  }
  throw new Error(`it has more than ${LARGEST / 1e6} MB; run fewer cases, by --filter`);
}
