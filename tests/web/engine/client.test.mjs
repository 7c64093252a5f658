/** Calls to the reference, with workers that answer when they are told to. */

import { Cancelled, Client, Stopped } from "../../../web/src/engine/client";

let workers;
let states;

class FakeWorker {
  sent = [];
  constructor() {
    workers.push(this);
  }
  postMessage(message) {
    this.sent.push(message);
  }
  terminate() {}
  say(data) {
    this.onmessage({ data });
  }
  fail(failed = "no network") {
    this.say({ failed });
  }
  ready() {
    this.say({ ready: true });
  }
  /** Answers what it was asked last. */
  answer(ok) {
    this.say({ id: this.sent.at(-1).id, ok });
  }
  get asked() {
    return this.sent.map(({ name }) => name);
  }
}

function started() {
  const client = new Client({ first: ["trace"], onState: ({ phase }) => states.push(phase) });
  workers[0].ready();
  return client;
}

/** Time for what waits for promises, and after it for the seconds that a call may take. */
const later = (seconds = 0) => vi.advanceTimersByTimeAsync(1000 * seconds);

/** What a call comes to, as soon as it is known. */
function outcome(promise) {
  const found = {};
  promise.then(
    (answer) => Object.assign(found, { answer }),
    (error) => Object.assign(found, { error }),
  );
  return found;
}

beforeEach(() => {
  [workers, states] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
});

test("what takes long isn't in the way of what a keystroke asks for", async () => {
  const client = started();
  const check = outcome(client.call("check", {}));
  workers[1].ready();
  const trace = outcome(client.call("trace", {}));
  workers[0].answer("traced");
  await later();
  expect([trace.answer, check]).toEqual(["traced", {}]);
  expect(workers.map(({ asked }) => asked)).toEqual([["trace"], ["check"]]);
});

test("calls are made one by one, and those that nobody wants any more not at all", async () => {
  const client = started();
  const newer = new AbortController();
  const signals = [undefined, newer.signal, undefined];
  const [one, two, three] = signals.map((signal) => outcome(client.call("trace", {}, { signal })));
  newer.abort();
  workers[0].answer(1);
  await later();
  expect([one.answer, two.error, three]).toEqual([1, expect.any(Cancelled), {}]);
  workers[0].answer(3);
  await later();
  expect(three.answer).toBe(3);
  expect(workers[0].sent).toHaveLength(2);
});

test("after one was stopped the other goes on, and nothing is loaded", async () => {
  const client = started();
  client.call("check", {});
  workers[1].ready();
  workers[1].answer("checked");
  const slow = outcome(client.call("trace", {}));
  const next = outcome(client.call("trace", {}));
  await later(5);
  workers[1].answer("traced");
  await later();
  expect([slow.error, next.answer]).toEqual([expect.any(Stopped), "traced"]);
  expect(workers).toHaveLength(2);
  expect(new Set(states)).toEqual(new Set(["ready"]));
});

test("one does all if another can't be loaded", async () => {
  const client = started();
  const check = outcome(client.call("check", {}));
  workers[1].fail();
  workers[0].answer("checked");
  await later();
  expect(check.answer).toBe("checked");
  expect(states.at(-1)).toBe("ready");
});

test("if none can be loaded, calls wait until that is tried again", async () => {
  const client = started();
  outcome(client.call("trace", {}));
  const next = outcome(client.call("trace", {}));
  await later(5);
  workers[1].fail();
  expect(states.at(-1)).toBe("failed");
  client.restart();
  workers[2].ready();
  workers[2].answer("traced");
  await later();
  expect(next.answer).toBe("traced");
});

test.each([
  ["trace", "shorten the text, or rewrite patterns"],
  ["cuts", "shorten the text, or rewrite patterns"],
  ["check", "take fields out"],
  ["translations", "`antiphon translate`"],
  ["open", "the file is too large"],
  ["suite", "try again"],
])("a stopped call says what to do: %s", async (name, remedy) => {
  const client = new Client();
  workers[0].ready();
  const found = outcome(client.call(name, {}));
  await later(5);
  expect(found.error.message).toMatch(/^stopped after 5 s: /);
  expect(found.error.message).toContain(remedy);
});
