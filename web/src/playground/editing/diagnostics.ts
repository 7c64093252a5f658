/** What the reference says about a document, as CodeMirror's diagnostics. */

import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { Problem } from "../../../interop/src/api";
import { Text } from "../../text";

export function show(view: EditorView, problems: Problem[], tryOut: (problem: Problem) => void) {
  const text = new Text(view.state.doc.toString());
  const diagnostics = problems.map((problem) => diagnosticOf(problem, text, tryOut));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function diagnosticOf(problem: Problem, text: Text, tryOut: (problem: Problem) => void): Diagnostic {
  const from = text.unit(problem.start);
  return {
    from,
    to: Math.max(from, text.unit(problem.end)),
    severity: problem.severity === "note" ? "info" : problem.severity,
    source: problem.code,
    message: problem.message,
    renderMessage: () => paragraphs([problem.message, problem.remedy]),
    actions: problem.witness ? [{ name: "Try this text", apply: () => tryOut(problem) }] : [],
  };
}

/** A box with texts one below the other. */
export function paragraphs(texts: string[]): HTMLElement {
  const box = document.createElement("div");
  for (const text of texts.filter(Boolean)) box.appendChild(document.createElement("p")).textContent = text;
  return box;
}

/** Selects from here to there, in code points. */
export function go(view: EditorView, { start, end }: { start: number; end: number }) {
  const text = new Text(view.state.doc.toString());
  const selection = { anchor: text.unit(start), head: text.unit(end) };
  view.dispatch({ selection, scrollIntoView: true });
  view.focus();
}
