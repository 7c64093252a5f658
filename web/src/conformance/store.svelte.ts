/** The reports that are shown side by side: those of runs here, and those of files. */

import { LEVELS, type CaseResult, type Level, type Report } from "../../interop/src/report";
import { reasonOf } from "../shown";
import { columnOf, columns, topics, type Column } from "./figures";
import { read } from "./reading/reading";
import { run } from "./running/run.svelte";

export interface Entry {
  /** Of its file, or of what was tested. */
  name: string;
  report: Report;
}

class Store {
  entries = $state.raw<Entry[]>([]);
  /** Files that couldn't be read, and why. */
  faults = $state.raw<{ name: string; reason: string }[]>([]);
  /** Names of files that are being read. */
  reading = $state.raw<string[]>([]);

  readonly columns: Column[] = $derived(columns(this.entries.map(({ report }) => report)));
  /** With that of the run under way. */
  readonly shown: Column[] = $derived(
    run.results.length ? [...this.columns, live(run.name, run.results, run.total)] : this.columns,
  );
  readonly topics = $derived(topics(this.shown.map(({ required }) => required)));
  readonly otherTopics = $derived(
    topics(this.shown.map(({ implementation }) => implementation.cases.filter((one) => !one.required))),
  );
  /** What counts as a failure: the highest level of the reports. */
  readonly level: Level = $derived(
    [...LEVELS].reverse().find((level) => this.entries.some(({ report }) => report.level === level)) ?? "events",
  );

  add(entry: Entry) {
    this.entries = [...this.entries, entry];
  }

  remove(entry: Entry) {
    this.entries = this.entries.filter((other) => other !== entry);
  }

  async read(files: Iterable<File>) {
    this.faults = [];
    for (const file of files) {
      this.reading = [...this.reading, file.name];
      try {
        this.add({ name: file.name, report: await read(file) });
      } catch (error) {
        this.faults = [...this.faults, { name: file.name, reason: reasonOf(error) }];
      } finally {
        this.reading = this.reading.filter((name) => name !== file.name);
      }
    }
  }
}

/** The implementation of a run that isn't over. */
function live(name: string, cases: CaseResult[], total: number): Column {
  const unknown = { version: "", language: "", conforms: null };
  return columnOf(name, { ...unknown, adapter: name, name, missing: total - cases.length, cases });
}

export const store = new Store();
