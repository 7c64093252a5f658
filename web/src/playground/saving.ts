/** A response template, saved into a tokenizer_config.json: what both toolbars do. */

import { read, save, type Source } from "../files";
import { escaped, shortened } from "../shown";
import type { Notice } from "./stage.svelte";

/** `what`: how the template is called there. */
export function intoConfigs(notice: Notice, what: string, template: () => string) {
  const into = ({ name, source }: Source) =>
    notice.after(async () => {
      const request = { name, source, template: template() };
      save(name, (await notice.answer("write_config", request)).source);
      return `Saved ${name} with the ${what} in it: put it in the place of the old one.`;
    });
  const intoFile = (file: File) =>
    notice.after(async () => {
      await into(await read(file));
    });
  /** The entry of the menu: into the one that was opened, or else into one that is to be chosen. */
  const action = (opened: Source | undefined, choose: () => void) =>
    opened
      ? { title: `Save into ${escaped(shortened(opened.name, 40))}`, run: () => void into(opened) }
      : { title: "Save into a tokenizer_config.json", run: choose };
  return { intoFile, action };
}
