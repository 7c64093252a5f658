/** What the tabs share: the stream's sources, the reference in its worker, and what runs there. */

import type { Calls, Stream } from "../interop/src/api";
import { Client, type State } from "./engine/client";

export type Versions = Calls["versions"]["answer"];

/** What the editors of the playground hold: JSON as written, texts as they are. */
class Sources {
  template = $state("");
  prefix = $state("");
  text = $state("");
  tools = $state("");
  onMalformed = $state<"raise" | "event">("raise");
  proposals = $state.raw<string[]>([]);
  /** The Jinja source of the file that was opened, for the lint. */
  chatTemplate = $state<string | undefined>();
  specialTokens = $state.raw<{ [name: string]: string } | undefined>();
  /** Where this comes from: an example, a file. */
  title = $state("");

  /** What the reference is asked about; made anew whenever one of its parts changes. */
  readonly stream: Stream = $derived({
    template: this.template,
    prefix: this.prefix,
    text: this.text,
    tools: this.tools,
    on_malformed: this.onMalformed,
    proposals: this.proposals,
  });
}

/** How far the reference is. It's usable when `phase` is `ready`; calls made before that wait for it. */
class Reference {
  state = $state.raw<State>({ phase: "loading", progress: null, reason: "" });
  versions = $state.raw<Versions | null>(null);
  readonly client: Client;

  constructor() {
    this.client = new Client(5, (state) => (this.state = state));
    this.client.call("versions", {}, { seconds: 30 }).then(
      (versions) => (this.versions = versions),
      () => {}, // what went wrong with loading is in `state`
    );
  }
}

export const sources = new Sources();
export const reference = new Reference();
