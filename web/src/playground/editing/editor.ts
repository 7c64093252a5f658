/** A CodeMirror editor in a shadow root: its styles there aren't inline ones, which the page's policy forbids. */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

interface Wish {
  label: string;
  language: "json" | "text";
  hint: string;
  /** `at`: when the input came, as performance.now() has it. */
  onChange: (value: string, at: number) => void;
  /** The cursor was put before this unit of the text, by nothing that was written. */
  onPlace: (unit: number, text: string) => void;
  extensions?: Extension;
}

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" }, // Editor.svelte marks the whole
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.4rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-line": { padding: "0 0.6rem" },
  ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--quiet)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2rem", padding: "0 0.3rem 0 0.4rem" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--quiet) 7%, transparent)" },
  "&:not(.cm-focused) .cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".cm-specialChar": { color: "var(--events)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--quiet)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--rule)",
    borderRadius: "4px",
    maxWidth: "min(34rem, 92vw)",
    boxShadow: "0 4px 16px var(--shade)",
    fontFamily: "system-ui, sans-serif",
    fontSize: "0.8125rem",
    lineHeight: "1.45",
  },
  ".cm-tooltip p": { margin: "0.3rem 0.6rem" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--link)", color: "var(--page)" },
  ".cm-completionInfo": { padding: "0.4rem 0.6rem" },
  ".cm-diagnostic": { padding: "0.4rem 0.6rem" },
  ".cm-diagnostic p": { margin: "0 0 0.2rem" },
  ".cm-diagnosticAction": {
    display: "block",
    padding: "0.1rem 0.5rem",
    margin: "0.3rem 0.4rem 0 0",
    color: "var(--ink)",
    backgroundColor: "var(--page)",
    border: "1px solid var(--quiet)",
    borderRadius: "4px",
    font: "inherit",
    cursor: "pointer",
  },
  ".cm-lintRange-active": { backgroundColor: "transparent" },
  ".cm-lintRange-error": underline("var(--message)"),
  ".cm-lintRange-warning": underline("var(--prompt)"),
  ".cm-lintRange-info": underline("var(--link)"),
  ".cm-diagnostic-error": { borderLeftColor: "var(--message)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--prompt)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--link)" },
});

function underline(color: string) {
  return {
    backgroundImage: "none",
    textDecoration: `underline wavy ${color} 1.5px`,
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
  };
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-key)" },
  { tag: tags.string, color: "var(--json-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--json-atom)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--quiet)" },
]);

/** Tab moves on to the next control: only what is written changes the text. */
const KEYS = [...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap];

export function createEditor(host: HTMLElement, value: string, wish: Wish): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let input = 0;
  const notice = (event: globalThis.Event) => void (input = event.timeStamp);
  const state = EditorState.create({
    doc: value,
    extensions: [
      EditorState.lineSeparator.of("\n"), // a carriage return is a character like any other (TEXT-4)
      highlightSpecialChars(),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      placeholder(wish.hint),
      keymap.of(KEYS),
      EditorView.contentAttributes.of({ "aria-label": wish.label, tabindex: "0" }), // axe knows no other way in
      EditorView.domEventHandlers({
        keydown: notice,
        paste: notice,
        beforeinput(event, view) {
          notice(event);
          return typedOver(event, view);
        },
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((one) => one.isUserEvent("set")))
          wish.onChange(update.state.doc.toString(), input || performance.now());
        if (update.selectionSet && !update.docChanged && update.transactions.some((one) => one.isUserEvent("select")))
          wish.onPlace(update.state.selection.main.head, update.state.doc.toString());
      }),
      look,
      wish.language === "json" ? forJson() : [],
      wish.extensions ?? [],
    ],
  });
  return new EditorView({ state, parent: root, root });
}

/**
 * Chromium wraps what is typed in place of a selection in an element with the selection's looks, as an inline style,
 * which the page's policy forbids. So this is done here.
 */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const text = event.data;
  if (event.inputType !== "insertText" || text === null || empty || view.composing) return false;
  const insert = () =>
    view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  event.preventDefault();
  if (!handlers.some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
  return true;
}

function forJson(): Extension {
  return [
    json(),
    lineNumbers(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of("  "),
    syntaxHighlighting(colours),
  ];
}

/** Puts a text in place of the whole; `onChange` isn't told. */
export function setValue(view: EditorView, value: string) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value }, userEvent: "set" });
}
