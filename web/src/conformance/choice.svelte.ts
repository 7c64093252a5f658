/** What is to be run next, as the form has it. */

import type { Level } from "../../interop/src/report";
import { read } from "../files";
import type { Subject, Wishes } from "./running/run.svelte";
import { HERE } from "./verdicts";

export type Kind = "reference" | "javascript" | "module";

class Choice {
  kind = $state<Kind>("reference");
  file = $state.raw<File | null>(null);
  address = $state("");
  globs = $state("");
  requiredOnly = $state(true);
  level = $state<Level>("events");
  seed = $state<number | null>(0);
  seconds = $state<number | null>(5);

  /** A module's file. */
  take(files: Iterable<File> | null) {
    const [file] = files ?? [];
    if (!file) return;
    this.file = file;
    this.address = "";
    this.kind = "module";
  }

  get filter(): string[] {
    return this.globs.split(/[\s,]+/).filter(Boolean);
  }

  get wishes(): Wishes {
    const { filter, requiredOnly, level } = this;
    return { filter, requiredOnly, level, seed: Math.trunc(this.seed ?? 0), seconds: this.seconds || 5 };
  }

  /** What is tested. Rejects with what is missing, or wrong. */
  async subject(): Promise<Subject> {
    if (this.kind !== "module") return this.kind;
    const address = this.address.trim();
    if (address) return { name: HERE + address, origin: { address: checked(address) } };
    if (!this.file) throw new Error("there is no module yet; choose a file, or give its address");
    const { name, source } = await read(this.file);
    return { name: HERE + name, origin: { source } };
  }
}

/** The policy of the sandbox takes modules from these places only. */
function checked(address: string): string {
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : { protocol: "", hostname: "" };
  const here = ["localhost", "127.0.0.1"].includes(hostname);
  if (protocol === "https:" || (protocol === "http:" && here)) return address;
  throw new Error(`${address} can't be loaded; give an address that begins with https:// or http://localhost`);
}

export const choice = new Choice();
