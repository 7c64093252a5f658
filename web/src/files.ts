/** Files and the clipboard. */

/** A file that is larger isn't read, in bytes. */
const LARGEST = 20_000_000;

export interface Source {
  source: string;
  name: string;
}

/** A file's text, with all that is in it, and its name. Rejects, in words for people. */
export async function read(file: File): Promise<Source> {
  const { name, size } = file;
  if (size > LARGEST) throw new Error(`${name} has ${Math.round(size / 1e6)} MB; at most ${LARGEST / 1e6} MB are read`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${name} can't be read any more; choose it again`);
  });
  try {
    return { source: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), name };
  } catch {
    throw new Error(`${name} isn't in UTF-8; save it in that encoding`);
  }
}

/** Does this with the file that was chosen in an input; it can be chosen again. */
export function chosen(input: HTMLInputElement, doing: (file: File) => unknown) {
  const file = input.files?.[0];
  input.value = "";
  if (file) doing(file);
}

/** Lets the browser download it, as JSON. */
export function save(name: string, source: string) {
  const address = URL.createObjectURL(new Blob([source], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Whether the text is in the clipboard now. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages that aren't served by HTTPS, where there's no other way. */
function copyBySelection(text: string): boolean {
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "unseen" });
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
