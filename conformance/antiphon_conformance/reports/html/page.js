// The list of cases: filters, search, details, the state in the address, colours. All texts are set as text.
"use strict";

const PAGE = 100; // cases that are listed at a time
const LEVELS = ["message", "events", "prompt"];
const WORDS = { message: "✗ message", events: "✗ events", prompt: "✗ late" };
const index = JSON.parse(document.getElementById("index").textContent);
const states = index.states.map(([fails, lacks, verdicts, expected, flaky]) => ({ fails, lacks, verdicts, expected, flaky }));
const cases = index.cases.map(([id, about, clauses, required, sides]) => ({
  id, about, clauses, required,
  topic: id.split("/", 1)[0],
  sides: sides.map((number) => (number < 0 ? null : states[number])),
  words: `${id} ${about} ${clauses.join(" ")}`.toLowerCase(),
}));
const form = document.getElementById("filters");
const list = document.getElementById("list");
const more = document.getElementById("more");
const count = document.getElementById("count");
let shown = [];
let listed = 0;

// Elements

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Text in which `code` and *emphasis* are marked as in Markdown.
function prose(text) {
  return text.split(/(`[^`]+`|(?<![\w*])\*[^*\s][^*]*\*(?![\w*]))/).map((part, number) => {
    if (number % 2 === 0) return part;
    return element(part[0] === "`" ? "code" : "em", {}, part.slice(1, -1));
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
  return [state.fails, `${WORDS[state.fails]}${state.expected ? ", expected" : ""}${flaky}`];
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
    else if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === state.get(field.name))) field.value = state.get(field.name);
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
  list.append(element("div", { className: "heads", ariaHidden: "true" }, element("span"), ...index.columns.map((column) => element("span", {}, column.title))));
  count.textContent = `${shown.length} of ${cases.length} cases`;
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
    return element("span", { className: `state ${style}` }, element("span", { className: "whose" }, index.columns[number].title), text);
  });
  const summary = element("summary", {}, element("span", { className: "id" }, one.id), ...sides, element("span", { className: "about" }, ...prose(one.about)));
  const made = element("details", { className: "case" }, summary);
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
  const sides = element("div");
  if (!given) sides.append(element("p", { className: "hint" }, "Right and prompt wherever it was run. To see it: ", element("code", {}, `antiphon suite show ${one.id}`)));
  else index.columns.forEach((column, number) => sides.append(side(one, column, one.sides[number], given.sides[number], lines)));
  return element("div", { className: "body" }, facts(one, given), sides);
}

function facts(one, given = {}) {
  const found = element("dl", { className: "facts" });
  const add = (name, ...values) => found.append(element("dt", {}, name), element("dd", {}, ...values));
  for (const name of given.notes ?? []) {
    const [title, effect] = index.notes[name] ?? [name, ""];
    add("If it fails", element("b", {}, title), ". ", ...prose(effect));
  }
  if (given.template !== undefined) {
    add("Text", element("pre", {}, given.text));
    add("Prefix", element("pre", {}, given.prefix));
    add("Template", scrolling("pre", "Template", { className: "code" }, index.templates[given.template]));
  }
  for (const name of ["requires", "tools", "options"]) if (given[name]) add(name[0].toUpperCase() + name.slice(1), element("pre", {}, given[name]));
  for (const clause of one.clauses) add(clause, ...prose(index.clauses[clause] ?? ""));
  if (given.reason) add("Not required", ...prose(given.reason));
  if (given.source) add("Source", given.source);
  return found;
}

function scrolling(name, label, properties, ...children) {
  return element(name, { ...properties, tabIndex: 0, role: "group", ariaLabel: label }, ...children);
}

function side(one, column, state, told, lines) {
  const made = element("section", { className: "side" }, element("h3", {}, column.title));
  if (!state) return made.append(element("p", { className: "hint" }, "It wasn't run with this case.")), made;
  if (state.lacks.length) return made.append(element("p", { className: "state lacks" }, `Not judged: it lacks ${state.lacks.join(", ")}.`)), made;
  const [runs, lag, failures, differed] = told;
  made.append(verdicts(state));
  if (differed) made.append(element("p", { className: "reason" }, differed));
  if (!failures.length && !differed) made.append(element("p", { className: "hint" }, lag ? `Up to ${lag} code points late, which is allowed here (DUE-4).` : `Right in all ${runs} runs.`));
  for (const failure of failures) made.append(...failing(column, failure, runs, lines));
  if (failures.length) {
    const chunking = /^[a-z]+$/.test(failures[0][2]) ? failures[0][2] : `"${failures[0][2]}"`;
    const adapter = /^[\w.=-]+$/.test(column.adapter) ? column.adapter : `'${column.adapter.replaceAll("'", "'\\''")}'`;
    const option = failures[0][2] === "none" ? "" : ` --chunking ${chunking}`;
    made.append(element("p", { className: "hint" }, "Again: "), element("pre", {}, `antiphon conformance explain ${one.id} --adapter ${adapter}${option}`));
  }
  return made;
}

function verdicts(state) {
  const items = LEVELS.map((level, number) => {
    const right = state.verdicts[number];
    const [style, word] = right === null ? ["absent", "not judged"] : right ? ["passed", "✓ right"] : [level, level === "prompt" ? "✗ late" : "✗ wrong"];
    return element("li", {}, `${level} `, element("span", { className: `state ${style}` }, word));
  });
  return element("ul", { className: "verdicts" }, ...items);
}

function* failing(column, [, reason, chunking, failed, rows, stderr, depends, concerned], runs, lines) {
  yield element("p", { className: "reason" }, reason);
  if (chunking !== "none") yield element("p", { className: "hint" }, `In ${failed} of ${runs} runs; the first is ${chunking}.${depends ? " In one piece it is right: the result depends on the chunks." : ""}`);
  if (concerned.length) {
    const found = element("dl", { className: "facts" });
    for (const clause of concerned) found.append(element("dt", {}, clause), element("dd", {}, ...prose(index.clauses[clause] ?? "")));
    yield found;
  }
  if (rows.length) yield scrolling("div", `Events, chunking ${chunking}`, { className: "scroll" }, timeline(column, rows, lines));
  if (stderr.length) yield scrolling("pre", "Standard error", { className: "code stderr" }, stderr.join("\n"));
}

function timeline(column, rows, lines) {
  const body = element("tbody");
  for (const row of rows) body.append(timelineRow(row, lines));
  const heads = [["", "What differs"], ["due", ""], ["expected", ""], [column.title, ""]];
  const head = element("tr", {}, ...heads.map(([text, unseen]) => element("th", { scope: "col" }, text, ...(unseen ? [element("span", { className: "unseen" }, unseen)] : []))));
  const widths = element("colgroup", {}, element("col", { className: "mark" }), element("col", { className: "times" }), element("col"), element("col"));
  return element("table", { className: "timeline" }, widths, element("thead", {}, head), body);
}

function timelineRow(row, lines) {
  if (typeof row === "number") {
    const text = row > 0 ? `… ${row} rows in which nothing differs …` : `… ${-row} more rows …`;
    return element("tr", { className: "gap" }, element("td", { colSpan: 4 }, text));
  }
  if (row[0] === null) {
    const [, name, at, chunk] = row;
    return element("tr", { className: "step" }, element("th", { colSpan: 4, scope: "rowgroup" }, element("b", {}, name), ...(chunk ? [` → ${at} `, element("span", { className: "chunk" }, chunk)] : [])));
  }
  const [times, expected, got, first] = row;
  const differs = expected !== got;
  const mark = first ? ["✗", "wrong first"] : differs ? ["≠", "differs"] : null;
  const made = element("tr", { className: first ? "first" : differs ? "other" : "" });
  made.append(element("td", { className: "mark" }, ...(mark ? [element("span", { ariaHidden: "true" }, mark[0]), element("span", { className: "unseen" }, mark[1])] : [])));
  made.append(element("td", { className: "times" }, times));
  for (const line of [expected, got]) made.append(element("td", { className: "side-text" }, line === null ? "·" : lines[line]));
  return made;
}

// One case in the address

function open(id) {
  const number = shown.findIndex((one) => one.id === id);
  if (number < 0) {
    if (!cases.some((one) => one.id === id)) return;
    form.reset();
    form.elements.search.value = id;
    render();
    if (shown.findIndex((one) => one.id === id) < 0) return;
  }
  while (![...list.children].some((child) => child.dataset.id === id)) extend(form.elements.level.value);
  const found = [...list.children].find((child) => child.dataset.id === id);
  found.open = true;
  found.querySelector("summary").focus();
  found.scrollIntoView({ block: "start" });
}

function follow() {
  const jumped = location.hash.length > 1;
  const id = readAddress();
  render();
  if (id) open(id);
  else if (jumped && ready) document.getElementById("cases").scrollIntoView();
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
    return localStorage.getItem("antiphon-theme") ?? "auto";
  } catch {
    return "auto";
  }
}

const themes = document.getElementById("theme");
themes.hidden = false;
themes.addEventListener("change", (event) => setTheme(event.target.value));
const theme = themes.querySelector(`input[value="${["light", "dark"].includes(storedTheme()) ? storedTheme() : "auto"}"]`);
theme.checked = true;
setTheme(theme.value);

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
let ready = false;
follow();
ready = true;
