/** The runtime's files: loaded at the same time, with progress, and compared with their manifest. */

import { folder } from "./folder.js";
import type { Bytes, Folder } from "./folder.js";
import { handled } from "./promises.js";

/** How far loading is: bytes of all bytes, without compression on the way; and what is being done. */
export interface Progress {
  step: "download" | "start";
  loaded: number;
  total: number;
}

/** `manifest.json`; `web/runtime/manifest.py` tells more. */
interface Manifest {
  python: string;
  archives: { kit: string; suite: string };
  wheels: string[];
  files: { name: string; bytes: number; sha256: string }[];
}

/** There is no runtime in a folder; what to do is known to whoever named it. */
export class NoRuntime extends Error {}

const MANIFEST = "manifest.json";
/** What Pyodide imports and fetches by itself. */
const SCRIPTS = ["pyodide.mjs", "pyodide.asm.js"];
const FETCHED = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

export class Runtime {
  /** The archives that belong into site-packages before anything is imported; and the suite's. */
  readonly archives: string[];
  readonly suite: string;
  readonly #coming = new Map<string, Promise<Bytes>>();
  #loaded = 0;
  #total = 0;

  private constructor(
    readonly folder: Folder,
    private readonly manifest: Manifest,
    private readonly onProgress: (progress: Progress) => void,
  ) {
    this.archives = [...manifest.wheels, manifest.archives.kit];
    this.suite = manifest.archives.suite;
  }

  /** Begins to load all but the suite. Throws if there is no runtime there. */
  static async open(place: string | URL, onProgress: (progress: Progress) => void): Promise<Runtime> {
    const opened = await folder(place);
    const runtime = new Runtime(opened, await manifestOf(opened), onProgress);
    runtime.#begin();
    return runtime;
  }

  /** Python's version, as a folder of its library has it. */
  get python(): string {
    return this.manifest.python.split(".", 2).join(".");
  }

  /** Pyodide, when it runs. Throws if one of its files isn't there, or isn't what the manifest tells. */
  async start(): Promise<any> {
    const [{ loadPyodide }] = await Promise.all(SCRIPTS.map((name) => this.#script(name)));
    const options = { indexURL: this.folder.path, packageBaseUrl: this.folder.path };
    // It says nothing of use about files that are missing, so others find that out: on a disk, that takes no time.
    if (!this.folder.streams) await this.#check();
    const [python] = await Promise.all([this.folder.while(() => loadPyodide(options)), this.#check()]);
    for (const name of FETCHED) this.#coming.delete(name);
    return python;
  }

  /** What is in an archive, or another file. Throws if it isn't what the manifest tells. */
  async take(name: string): Promise<Bytes> {
    const data = await (this.#coming.get(name) ?? this.#read(name));
    this.#coming.delete(name);
    return data;
  }

  async #check() {
    await Promise.all(FETCHED.map((name) => this.#coming.get(name)));
  }

  #begin() {
    const names = [...FETCHED, ...this.archives];
    this.#total = [...SCRIPTS, ...names].reduce((sum, name) => sum + this.#entry(name).bytes, 0);
    this.#tell(0);
    for (const name of names) this.#coming.set(name, handled(this.#read(name)));
  }

  async #script(name: string): Promise<any> {
    const address = this.folder.url(name);
    const module = await import(/* @vite-ignore */ /* webpackIgnore: true */ address).catch((error: unknown) => {
      throw new Error(`${address} can't be loaded: ${error}`);
    });
    this.#tell(this.#entry(name).bytes);
    return module;
  }

  async #read(name: string): Promise<Bytes> {
    const { bytes, sha256 } = this.#entry(name);
    const data = await this.folder.read(name, (more) => this.#tell(more), FETCHED.includes(name));
    if (data.length !== bytes || ((await digest(data)) ?? sha256) !== sha256) {
      const address = this.folder.url(name);
      throw new Error(`${address} isn't the file that its manifest tells of; copy the whole runtime again`);
    }
    return data;
  }

  #entry(name: string) {
    const found = this.manifest.files.find((file) => file.name === name);
    if (!found) throw new Error(`${this.folder.url(MANIFEST)} doesn't name ${name}; copy the whole runtime again`);
    return found;
  }

  #tell(more: number) {
    this.#loaded = Math.min(this.#loaded + more, this.#total);
    const step = this.#loaded < this.#total ? "download" : "start";
    this.onProgress({ step, loaded: this.#loaded, total: this.#total });
  }
}

async function manifestOf(opened: Folder): Promise<Manifest> {
  const source = await opened.read(MANIFEST, () => {}, false).catch((error: Error) => {
    throw new NoRuntime(error.message);
  });
  try {
    return JSON.parse(new TextDecoder().decode(source)) as Manifest;
  } catch {
    throw new NoRuntime(`${opened.url(MANIFEST)} isn't JSON`);
  }
}

/** SHA-256; nothing in pages that have no crypto, since they didn't come over a secure connection. */
async function digest(data: Bytes): Promise<string | undefined> {
  const found = await globalThis.crypto?.subtle?.digest("SHA-256", data);
  return found && Array.from(new Uint8Array(found), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
