// The list of cases: filters, search, details, the state in the address, colours. All texts are set as text.
"use strict";

const PAGE = 100; // cases that are listed at a time
const LEVELS = ["message", "events", "prompt"];
const NOT_STARTED = "none"; // the chunking of a failure before any run
const index = JSON.parse(document.getElementById("index").textContent);
const states = index.states.map(named("fails", "kind", "lacks", "verdicts", "expected", "flaky"));
const cases = index.cases.map(named("id", "about", "clauses", "required", "sides")).map((one) => ({
  ...one,
  topic: one.id.split("/", 1)[0],
  sides: one.sides.map((number) => (number < 0 ? null : states[number])),
  words: `${one.id} ${one.about} ${one.clauses.join(" ")}`.toLowerCase(),
}));
const form = document.getElementById("filters");
const list = document.getElementById("list");
const more = document.getElementById("more");
const count = document.getElementById("count");
let shown = [];
let listed = 0;

// What makes an object of a list whose parts have these names.
function named(...names) {
  return (parts) => Object.fromEntries(names.map((name, number) => [name, parts[number]]));
}

// Elements

// An element by its name and classes (`span.id`), its properties, if there are any, and its children.
function element(selector, ...children) {
  const [name, ...classes] = selector.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  if (children[0]?.constructor === Object) {
    for (const [key, value] of Object.entries(children.shift())) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
  }
  made.append(...children);
  return made;
}

// Text in which `code` and *emphasis* are marked as in Markdown.
function prose(text) {
  return text.split(/(`[^`]+`|(?<![\w*])\*[^*\s][^*]*\*(?![\w*]))/).map((part, number) => {
    if (number % 2 === 0) return part;
    return element(part[0] === "`" ? "code" : "em", part.slice(1, -1));
  });
}

// Outcomes

function failsAt(state, level) {
  return state.fails !== null && LEVELS.indexOf(state.fails) <= LEVELS.indexOf(level);
}

function outcome(state, level) {
  if (state === null) return "absent";
  if (state.lacks.length) return "lacks";
  return failsAt(state, level) ? "fails" : "passes";
}

function hasOutcome(state, wished, level) {
  if (wished === "flaky") return Boolean(state?.flaky);
  if (wished === "unexpected") return outcome(state, level) === "fails" && !state.expected;
  return outcome(state, level) === wished;
}

function shownState(state, level) {
  const kind = outcome(state, level);
  if (kind === "absent") return ["absent", "not run"];
  if (kind === "lacks") return ["lacks", "lacks a feature"];
  const flaky = state.flaky ? ", flaky" : "";
  if (kind === "passes") return ["passed", `✓ passes${flaky}`];
  return [state.fails, `✗ ${state.kind}${state.expected ? ", expected" : ""}${flaky}`];
}

// Filters, which are the state of the page

function wanted() {
  const values = Object.fromEntries(new FormData(form));
  return { ...values, words: values.search.toLowerCase().split(/\s+/).filter(Boolean) };
}

function matches(one, wish) {
  if (wish.topic && one.topic !== wish.topic) return false;
  if (wish.clause && !one.clauses.includes(wish.clause)) return false;
  const sides = wish.implementation ? [one.sides[Number(wish.implementation)]] : one.sides;
  if (wish.outcome && !sides.some((state) => hasOutcome(state, wish.outcome, wish.level))) return false;
  if (wish.differences && new Set(one.sides.map((state) => outcome(state, wish.level))).size < 2) return false;
  return wish.words.every((word) => one.words.includes(word));
}

function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  form.reset();
  for (const field of form.elements) {
    if (!field.name || !state.has(field.name)) continue;
    if (field.type === "checkbox") field.checked = true;
    else if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === state.get(field.name)))
      field.value = state.get(field.name);
  }
  return state.get("case");
}

function writeAddress(open) {
  const state = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value && !(name === "level" && value === index.level)) state.set(name, value);
  }
  if (open) state.set("case", open);
  const hash = state.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

function filter() {
  render();
  writeAddress(null);
}

// The list

function render() {
  const wish = wanted();
  shown = cases.filter((one) => matches(one, wish));
  listed = 0;
  list.replaceChildren();
  list.style.setProperty("--sides", index.columns.length);
  const titles = index.columns.map((column) => element("span", column.title));
  if (shown.length) list.append(element("div.heads", { ariaHidden: "true" }, element("span"), ...titles));
  count.textContent = shown.length
    ? `${shown.length} of ${cases.length} case${cases.length === 1 ? "" : "s"}`
    : `None of ${cases.length} cases matches; leave a filter out, or clear them.`;
  extend(wish.level);
}

function extend(level) {
  for (const one of shown.slice(listed, listed + PAGE)) list.append(entry(one, level));
  listed = Math.min(shown.length, listed + PAGE);
  const rest = shown.length - listed;
  more.hidden = rest === 0;
  more.textContent = `Show ${Math.min(rest, PAGE)} more of ${rest}`;
}

function entry(one, level) {
  const sides = one.sides.map((state, number) => {
    const [style, text] = shownState(state, level);
    return element(`span.state.${style}`, element("span.whose", index.columns[number].title), text);
  });
  const about = element("span.about", ...prose(one.about));
  const made = element("details.case", element("summary", element("span.id", one.id), ...sides, about));
  made.dataset.id = one.id;
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) made.append(details(one));
    writeAddress(made.open ? one.id : null);
  });
  return made;
}

// Details of a case

const blocks = new Map();

function block(topic) {
  if (!blocks.has(topic)) {
    const found = [...document.querySelectorAll("script.details")].find((script) => script.dataset.topic === topic);
    blocks.set(topic, found ? JSON.parse(found.textContent) : { lines: [], cases: {} });
  }
  return blocks.get(topic);
}

function details(one) {
  const { lines, cases } = block(one.topic);
  const given = cases[one.id];
  if (!given) {
    const show = element("code", `antiphon suite show ${one.id}`);
    return element(
      "div.body",
      facts(one),
      element("div", hint("Right and prompt wherever it was run. To see it: ", show)),
    );
  }
  const sides = index.columns.map((column, number) => {
    const state = one.sides[number];
    const texts = state
      ? told(one, column, state, given.sides[number], lines)
      : [hint("It wasn't run with this case.")];
    return element("section.side", element("h3", column.title), ...texts);
  });
  return element("div.body", facts(one, given), element("div", ...sides));
}

function facts(one, given = {}) {
  const found = element("dl.facts");
  const add = (name, ...values) => found.append(element("dt", name), element("dd", ...values));
  for (const name of given.notes ?? []) {
    const [title, effect] = index.notes[name] ?? [name, ""];
    add("If it fails", element("b", title), ". ", ...prose(effect));
  }
  if (given.template !== undefined) {
    add("Text", element("pre", given.text));
    add("Prefix", element("pre", given.prefix));
    add("Template", scrolling("pre.code", "Template", index.templates[given.template]));
  }
  for (const name of ["requires", "tools", "options"]) {
    if (given[name]) add(name[0].toUpperCase() + name.slice(1), element("pre", given[name]));
  }
  for (const clause of one.clauses) add(clause, ...prose(index.clauses[clause] ?? ""));
  if (given.reason) add("Not required", ...prose(given.reason));
  if (given.source) add("Source", given.source);
  return found;
}

function hint(...texts) {
  return element("p.hint", ...texts);
}

function scrolling(selector, label, ...children) {
  return element(selector, { tabIndex: 0, role: "group", ariaLabel: label }, ...children);
}

const aboutSide = named("runs", "lag", "failures", "differed");
const aboutFailure = named("reason", "chunking", "runs", "stderr", "depends", "clauses", "rows");

// What an implementation does with a case.
function* told(one, column, state, parts, lines) {
  const { runs, lag, failures, differed } = aboutSide(parts);
  if (state.lacks.length) {
    yield element("p.state.lacks", `Not judged: ${runs ? "it says" : "it lacks"} ${state.lacks.join(", ")}.`);
    return;
  }
  if (differed) yield element("p.reason", differed);
  if (failures.length) {
    yield verdicts(state);
    for (const failure of failures.map(aboutFailure)) yield* failing(column, failure, runs, lines);
    yield hint("To see it again:");
    yield element("pre", command(one, column, aboutFailure(failures[0])));
  } else if (lag) yield hint(`Up to ${lag} code points late, which is allowed here (DUE-4).`);
  else if (!differed) yield element("p.state.passed", `✓ right in ${runs === 1 ? "its one run" : `all ${runs} runs`}`);
}

function verdicts(state) {
  const items = LEVELS.map((level, number) => {
    const right = state.verdicts[number];
    const wrong = level === "prompt" ? "✗ late" : "✗ wrong";
    const [style, word] = right === null ? ["absent", "not judged"] : right ? ["passed", "✓ right"] : [level, wrong];
    return element("li", `${level} `, element(`span.state.${style}`, word));
  });
  return element("ul.verdicts", ...items);
}

function* failing(column, { reason, chunking, runs, stderr, depends, clauses, rows }, all, lines) {
  yield element("p.reason", reason);
  const why = depends ? " In one piece it is right: the result depends on the chunks." : "";
  const where = all > 1 ? `In ${runs} of ${all} runs; the first is ${chunking}.` : `In the chunking ${chunking}.`;
  if (chunking !== NOT_STARTED) yield hint(where + why);
  const texts = clauses.map((name) => [element("dt", name), element("dd", ...prose(index.clauses[name] ?? ""))]);
  if (texts.length) yield element("dl.facts", ...texts.flat());
  if (rows.length) yield scrolling("div.scroll", `Events, chunking ${chunking}`, timeline(column, rows, lines));
  if (stderr.length) yield scrolling("pre.code.stderr", "Standard error", stderr.join("\n"));
}

// What shows it on a terminal.
function command(one, column, { chunking }) {
  const adapter = /^[\w.=-]+$/.test(column.adapter) ? column.adapter : `'${column.adapter.replaceAll("'", "'\\''")}'`;
  const option =
    chunking === NOT_STARTED ? "" : ` --chunking ${/^[a-z]+$/.test(chunking) ? chunking : `"${chunking}"`}`;
  return `antiphon conformance explain ${one.id} --adapter ${adapter}${option}`;
}

function timeline(column, rows, lines) {
  const heads = [element("span.unseen", "What differs"), "due", "expected", column.title];
  const head = element("tr", ...heads.map((text) => element("th", { scope: "col" }, text)));
  const widths = element("colgroup", element("col.mark"), element("col.times"), element("col"), element("col"));
  const body = element("tbody", ...rows.map((row) => timelineRow(row, lines)));
  return element("table.timeline", widths, element("thead", head), body);
}

// The class of a row, the mark in front of it, and what that means.
const WRONG_FIRST = ["first", "✗", "wrong first"];
const DIFFERS = ["other", "≠", "differs"];
const ALIKE = [];

function timelineRow(row, lines) {
  if (typeof row === "number") {
    const text = row > 0 ? `… ${row} rows in which nothing differs …` : `… ${-row} more rows …`;
    return element("tr.gap", element("td", { colSpan: 4 }, text));
  }
  if (row[0] === null) {
    const [, name, at, chunk] = row;
    const fed = chunk ? [` → ${at} `, element("span.chunk", chunk)] : [];
    return element("tr.step", element("th", { colSpan: 4, scope: "rowgroup" }, element("b", name), ...fed));
  }
  const [times, expected, got, first] = row;
  const [style, sign, meaning] = first ? WRONG_FIRST : expected === got ? ALIKE : DIFFERS;
  const mark = style ? [element("span", { ariaHidden: "true" }, sign), element("span.unseen", meaning)] : [];
  const texts = [expected, got].map((line) => element("td.side-text", line === null ? "·" : lines[line]));
  return element(style ? `tr.${style}` : "tr", element("td.mark", ...mark), element("td.times", times), ...texts);
}

// One case in the address

function open(id) {
  if (!shown.some((one) => one.id === id)) {
    form.reset();
    form.elements.search.value = id;
    render();
  }
  const number = shown.findIndex((one) => one.id === id);
  if (number < 0) return;
  while (listed <= number) extend(form.elements.level.value);
  const found = [...list.querySelectorAll(".case")][number];
  found.open = true;
  found.querySelector("summary").focus();
  found.scrollIntoView({ block: "start" });
}

function follow() {
  const id = readAddress();
  render();
  if (id) open(id);
  else if (location.hash.length > 1) document.getElementById("cases").scrollIntoView();
}

// Colours

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("antiphon-theme", theme);
  } catch {
    // A file may have no storage: then the choice lasts as long as the page.
  }
}

function storedTheme() {
  try {
    return localStorage.getItem("antiphon-theme");
  } catch {
    return null;
  }
}

const themes = document.getElementById("theme");
themes.hidden = false;
themes.addEventListener("change", (event) => setTheme(event.target.value));
const theme = [...themes.querySelectorAll("input")].find((input) => input.value === storedTheme());
if (theme) {
  theme.checked = true;
  setTheme(theme.value);
}

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", filter);
document.getElementById("clear").addEventListener("click", () => {
  form.reset();
  filter();
});
more.addEventListener("click", () => {
  const next = listed;
  extend(form.elements.level.value);
  list.children[next + 1]?.querySelector("summary").focus();
});
addEventListener("hashchange", follow);
follow();
