/** Runs of the suite: what is right, what is wrong in many ways, and what becomes of it. */

import { expect, test } from "vitest";
import { FEATURES, load } from "antiphon-reference";
import { answer } from "../conformance/adapters/javascript/src/answer.mjs";
import { loadTemplate, ResponseParser } from "../conformance/adapters/javascript/index.mjs";

const ref = await load();
const hello = answer({ type: "hello" });
const FILTER = "regions/current/*";
const run = (adapter, options = {}) => ref.runConformance(adapter, { filter: FILTER, ...options });
/** The port, but for the answers to some requests. */
const but = (wrong) => (request) => (request.type === "run" && wrong(request)) || answer(request);
/** The reference itself as a port: in the same thread, by way of JavaScript. */
const itself = { name: "itself", createParser: (template, options) => ref.createParser(template, options) };

test("the port passes, as a function, as an object and as a parser", async () => {
  const parser = {
    ...hello,
    createParser: (template, { patterns, ...options }) => new ResponseParser(loadTemplate(template, patterns), options),
  };
  for (const adapter of [answer, { answer }, parser]) {
    const outcome = await run(adapter, { level: "prompt" });
    expect(outcome).toMatchObject({ passes: true, conforms: "prompt", failing: [] });
    expect(outcome.tally.prompt).toEqual({ passed: outcome.report.implementations[0].cases.length, failed: 0, unsupported: 0 });
    expect(String(outcome)).toMatch(/^javascript 0\.1\.0 fails 0 of \d+ required cases at level prompt$/);
  }
});

test("the reference passes by way of JavaScript, also on errors, lone surrogates and prefixes", async () => {
  const filter = ["ERROR-4", "PREFIX-1", "load/fields/*", "errors/as-events/*", "*surrogate*", "*astral*"];
  const outcome = await run(itself, { filter, level: "prompt" });
  expect(outcome.passes, String(outcome)).toBe(true);
  expect(outcome.tally.prompt.passed).toBeGreaterThan(100);
});

test("the report is that of the command line", async () => {
  const { report } = await run(answer, { filter: [FILTER, "!*own*"], level: "message", seed: 7, seconds: 9 });
  expect(report).toMatchObject({ report: 1, level: "message", seed: 7, timeout: 9, interrupted: false });
  expect(report.filter).toEqual([FILTER, "!*own*", "!optional/*", "!proposals/*"]);
  expect(report.implementations).toMatchObject([{ name: "javascript", version: "0.1.0", language: "JavaScript", missing: 0 }]);
  expect(report.implementations[0].cases.map(({ id }) => id).filter((id) => id.includes("own"))).toEqual([]);
});

test("what fails is named, with its clauses and reason", async () => {
  const late = but((request) => {
    const { feeds, final, ...rest } = answer(request);
    return feeds && { ...rest, feeds: feeds.map(() => []), final: [...feeds.flat(), ...final] };
  });
  const prompt = await run(late, { level: "prompt" });
  expect(prompt).toMatchObject({ passes: false, conforms: "events" });
  expect(prompt.tally.events.failed).toBe(0);
  const [first] = prompt.failing;
  expect(first).toMatchObject({ id: expect.stringMatching(/^regions\/current\//), level: "prompt", reason: expect.stringMatching(/late/) });
  expect(String(prompt)).toContain(`  ${first.id} (${first.clauses.join(", ")})\n    prompt: ${first.reason}, in chunking ${first.chunking}`);
  expect(await run(late, { level: "events" })).toMatchObject({ passes: true });
});

/** Whatever is done with it throws. */
const hostile = new Proxy({}, new Proxy({}, { get: () => () => { throw hostile } }));

test("a crash, a wrong answer, and what isn't JSON fail their cases, and the run goes on", async () => {
  const wrongs = {
    "crashed: Error: oops": () => {
      throw new Error("oops");
    },
    "invalid response": ({ id }) => ({ type: "result", id, feeds: 3, message: {} }),
    "isn't JSON": () => () => {},
    "crashed: what it threw can't be told": () => hostile,
  };
  for (const [reason, wrong] of Object.entries(wrongs)) {
    let runs = 0;
    const outcome = await run(but((request) => runs++ === 0 && wrong(request)));
    expect(outcome.failing).toMatchObject([{ level: "message", reason: expect.stringContaining(reason) }]);
    expect(outcome.tally.events.passed).toBeGreaterThan(5);
  }
});

test("an answer that never comes is given up, and the implementation begins afresh", async () => {
  let [runs, restarts] = [0, 0];
  const hanging = but(() => runs++ === 3 && new Promise(() => {}));
  const outcome = await run({ answer: hanging, restart: () => void restarts++ }, { seconds: 0.2 });
  expect(outcome.failing).toMatchObject([{ reason: "timed out after 0.2 s" }]);
  expect(restarts).toBe(1);
});

test("one that doesn't start again fails all that is left", async () => {
  let dead = false;
  const mortal = (request) => {
    dead ||= request.id > 40;
    if (dead) throw new Error("gone");
    return answer(request);
  };
  const { failing, tally } = await run(mortal);
  expect(tally.events.passed).toBeGreaterThan(0);
  expect(failing[0].reason).toBe("crashed: Error: gone");
  expect(new Set(failing.slice(1).map(({ reason }) => reason))).toEqual(new Set(["didn't start: crashed: Error: gone"]));
});

test("errors of a port need a kind; without one it is a crash", async () => {
  const careless = { ...itself, createParser: () => JSON.parse("{") };
  const { failing, tally } = await run(careless, { filter: "load/fields/*" });
  expect(tally.message.passed).toBe(0);
  expect(failing[0].reason).toContain("crashed: SyntaxError");
});

test("what an implementation lacks isn't judged", async () => {
  const filter = "*lookahead*";
  const { tally, passes } = await run({ ...itself, features: FEATURES.filter((one) => one !== "lookahead") }, { filter });
  expect([passes, tally.events.failed]).toEqual([true, 0]);
  expect(tally.events.unsupported).toBeGreaterThan(0);
});

test("a run is interrupted by its signal, even while an answer is awaited", async () => {
  const stop = new AbortController();
  let done = 0;
  const outcome = await run(but(() => done === 3 && new Promise(() => stop.abort())), {
    signal: stop.signal,
    onResult: () => done++,
  });
  expect(outcome).toMatchObject({ passes: false, conforms: null, report: { interrupted: true } });
  expect(outcome.tally.events.passed).toBeGreaterThanOrEqual(3);
  expect(String(outcome)).toContain("the run was interrupted");
});

test("progress is told case by case", async () => {
  const seen = [];
  const { report } = await run(answer, { onProgress: ({ done, total }) => seen.push([done, total]) });
  const total = report.implementations[0].cases.length;
  expect(seen).toEqual(Array.from({ length: total + 1 }, (_, done) => [done, total]));
});

test("a filter without a case, a hello that is none, and one that fails are told", async () => {
  await expect(run(answer, { filter: "nothing/*" })).rejects.toThrow(/^no case matches nothing\/\*.*the topics are .*regions/);
  await expect(run(() => ({ type: "hello", protocol: 2 }))).rejects.toThrow(/invalid hello/);
  await expect(run({ name: "a" })).rejects.toThrow("no function `createParser`, or `answer`");
  await expect(run(() => Promise.reject(new Error("no")))).rejects.toThrow("doesn't answer hello: didn't start: crashed: Error: no");
});
