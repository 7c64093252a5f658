/** Reads the files of reports. */

import acceptsReport from "virtual:accepts-report";
import type { Report } from "../../../interop/src/report";
import { reasonOf } from "../../shown";

const LARGEST = 100_000_000; // bytes, unpacked

/** The report in a file. Rejects, in words, if there is none in it. */
export async function read(file: File): Promise<Report> {
  const source = await textOf(file);
  const document = parsed(source);
  const fault = faultOf(document);
  if (fault) throw new Error(`isn't a report: ${fault}; choose one that \`antiphon conformance run --report\` wrote`);
  return document as Report;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`isn't JSON: ${reasonOf(error)}; choose a JSON report (.json, or .json.gz)`);
  }
}

function faultOf(document: unknown): string {
  if (acceptsReport(document)) return Number.isNaN(Date.parse(document.created)) ? "/created is no time" : "";
  const { instancePath, message } = acceptsReport.errors!.at(-1)!;
  return `${instancePath || "the document"} ${message}`;
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
