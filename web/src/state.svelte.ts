/** What the tabs share: the stream's sources, the reference in its worker, and what runs there. */

import type { Calls, OnMalformed, Stream } from "../interop/src/api";
import { Client, type State } from "./engine/client";

export type Versions = Calls["versions"]["answer"];

/** What the editors of the playground hold: JSON as written, texts as they are. */
export interface Written {
  template: string;
  prefix: string;
  text: string;
  tools: string;
  onMalformed: OnMalformed;
  proposals: string[];
  /** The Jinja source of the file that was opened, for the lint. */
  chatTemplate: string | undefined;
  specialTokens: { [name: string]: string } | undefined;
  /** Where this comes from: an example, a file. */
  title: string;
}

const BLANK: Written = {
  template: "",
  prefix: "",
  text: "",
  tools: "",
  onMalformed: "raise",
  proposals: [],
  chatTemplate: undefined,
  specialTokens: undefined,
  title: "",
};

class Sources implements Written {
  template = $state(BLANK.template);
  prefix = $state(BLANK.prefix);
  text = $state(BLANK.text);
  tools = $state(BLANK.tools);
  onMalformed = $state(BLANK.onMalformed);
  proposals = $state.raw(BLANK.proposals);
  chatTemplate = $state(BLANK.chatTemplate);
  specialTokens = $state.raw(BLANK.specialTokens);
  title = $state(BLANK.title);

  /** What the reference is asked about; made anew whenever one of its parts changes. */
  readonly stream: Stream = $derived({
    template: this.template,
    prefix: this.prefix,
    text: this.text,
    tools: this.tools,
    on_malformed: this.onMalformed,
    proposals: this.proposals,
  });

  /** Puts this in place of all; what isn't named is blank. */
  put(written: Partial<Written>) {
    Object.assign(this, { ...BLANK, ...written });
  }
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
