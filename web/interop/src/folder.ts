/** A folder of files: on a server, or in Node on a disk. */

import { handled } from "./promises.js";

export type Bytes = Uint8Array<ArrayBuffer>;

export interface Folder {
  /** Its address for Pyodide, with a slash at the end: a URL, or a path. */
  readonly path: string;
  /** Whether files come bit by bit. */
  readonly streams: boolean;
  /** From where a module of it is imported. */
  url(name: string): string;
  /**
   * A file's bytes; `onBytes` is told how many more have come. `shared`: it will be fetched `while` something is done,
   * too. Throws if it isn't there.
   */
  read(name: string, onBytes: (count: number) => void, shared: boolean): Promise<Bytes>;
  /** Does something that fetches the shared files: it gets what is coming already. */
  while<T>(work: () => Promise<T>): Promise<T>;
}

const IN_NODE = typeof process === "object" && !!process.versions?.node && !("browser" in process);

/** Throws if it can't be a folder. */
export async function folder(place: string | URL): Promise<Folder> {
  return IN_NODE ? disk(place) : new Server(new URL(place, globalThis.location?.href).href);
}

class Server implements Folder {
  readonly path: string;
  readonly streams = true;
  #shared = new Map<string, Promise<Response>>();

  constructor(address: string) {
    this.path = withSlash(address);
  }

  url(name: string): string {
    return this.path + name;
  }

  async read(name: string, onBytes: (count: number) => void, shared: boolean): Promise<Bytes> {
    const address = this.url(name);
    const coming = fetched(address).then((response) => ({ response, own: shared ? response.clone() : response }));
    // The browser keeps the compiled code of WebAssembly that came from itself: so it is the copy that is read here.
    if (shared) this.#shared.set(address, handled(coming.then(({ response }) => response)));
    const parts: Bytes[] = [];
    const reader = (await coming).own.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joined(parts);
      parts.push(value);
      onBytes(value.length);
    }
  }

  async while<T>(work: () => Promise<T>): Promise<T> {
    const before = globalThis.fetch;
    const during: typeof fetch = (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const coming = this.#shared.get(address);
      this.#shared.delete(address);
      return coming ?? before(input, init);
    };
    globalThis.fetch = during;
    try {
      return await work();
    } finally {
      if (globalThis.fetch === during) globalThis.fetch = before;
    }
  }
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address).catch((error: unknown) => {
    throw new Error(`${address} can't be fetched: ${error}`);
  });
  if (!response.ok) throw new Error(`${address} isn't there: ${response.status} ${response.statusText}`);
  return response;
}

async function disk(place: string | URL): Promise<Folder> {
  const { fileURLToPath, pathToFileURL } = (await builtin("url")) as typeof import("node:url");
  const { readFile } = (await builtin("fs/promises")) as typeof import("node:fs/promises");
  const address = String(place);
  if (/^https?:/.test(address)) throw new Error(`${address} isn't a folder; in Node, name one on this machine`);
  const path = withSlash(address.startsWith("file:") ? fileURLToPath(address) : address);
  return {
    path,
    streams: false,
    url: (name) => pathToFileURL(path + name).href,
    async read(name, onBytes) {
      const data = await readFile(path + name).catch((error: Error) => {
        throw new Error(`${path}${name} can't be read: ${error.message}`);
      });
      onBytes(data.length);
      return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
    },
    while: (work) => work(),
  };
}

/** A module of Node's own, of which bundlers for browsers should know nothing. */
function builtin(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);
}

function withSlash(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}

function joined(parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
