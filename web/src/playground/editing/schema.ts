/** What the response template's JSON Schema says about a place in a document: completions, and what a key means. */

import {
  autocompletion,
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension, Text as Doc } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import {
  getLanguageService,
  InsertTextFormat,
  TextDocument,
  type CompletionItem,
  type MarkedString,
  type MarkupContent,
} from "vscode-json-languageservice";
import { paragraphs } from "./diagnostics";
import schema from "../../../../conformance/schema/response-template.schema.json";

const ADDRESS = "template.json";
const service = getLanguageService({});
service.configure({ validate: false, schemas: [{ uri: schema.$id, fileMatch: [ADDRESS], schema: schema as object }] });

function parsed(doc: Doc) {
  const document = TextDocument.create(ADDRESS, "json", 1, doc.toString());
  return { document, json: service.parseJSONDocument(document) };
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(/[}\]]/)) return null; // a comma is to come first
  const { document, json } = parsed(context.state.doc);
  const list = await service.doComplete(document, document.positionAt(context.pos), json);
  if (!list?.items.length) return null;
  const edit = list.items.find((item) => item.textEdit)?.textEdit;
  const from = edit && "range" in edit ? document.offsetAt(edit.range.start) : context.pos;
  return { from, options: list.items.map((item) => optionOf(item, document)), filter: true };
}

function optionOf(item: CompletionItem, document: TextDocument): Completion {
  const edit = item.textEdit;
  const source = edit?.newText ?? item.insertText ?? item.label;
  const text = item.insertTextFormat === InsertTextFormat.Snippet ? source : source.replace(/\$/g, "\\$");
  const info = plain(item.documentation);
  return {
    label: item.filterText ?? item.label,
    displayLabel: item.label,
    ...(info && { info }),
    apply: (view, completion, from, to) => {
      const end = edit && "range" in edit ? Math.max(to, document.offsetAt(edit.range.end)) : to;
      snippet(asSnippet(text))(view, completion, from, Math.min(end, view.state.doc.length));
    },
  };
}

/** From the language service's notation of places to fill in to CodeMirror's. */
function asSnippet(text: string): string {
  return text.replace(/\\([$}\\])/g, "$1").replace(/\$(\d+)/g, "$${$1}");
}

const hover = hoverTooltip(async (view, pos) => {
  const { document, json } = parsed(view.state.doc);
  const found = await service.doHover(document, document.positionAt(pos), json);
  const text = found && plain(Array.isArray(found.contents) ? found.contents[0] : found.contents);
  if (!text) return null;
  const { start, end } = found.range ?? { start: document.positionAt(pos), end: document.positionAt(pos) };
  const create = () => ({ dom: paragraphs(text.split(/\n{2,}/)) });
  return { pos: document.offsetAt(start), end: document.offsetAt(end), create };
});

function plain(source: string | MarkupContent | MarkedString | undefined): string {
  const text = !source ? "" : typeof source === "string" ? source : source.value;
  return text.replace(/\\([\\`*_{}[\]()#+\-.!<>&~])/g, "$1").replace(/&nbsp;/g, " ");
}

export function withSchema(): Extension {
  return [autocompletion({ override: [complete] }), hover];
}
