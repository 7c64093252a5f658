/** What the tabs share: the stream's sources, the reference in its worker, and what runs there. */

import type { Calls, ChatTemplate, OnMalformed, Stream } from "../interop/src/api";
import { Client, type State } from "./engine/client";
import type { Source } from "./files";

/** What is drawn at each keystroke waits for nothing else. */
const KEYSTROKE = ["versions", "parse", "trace"] as const;

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
  /** The tokenizer_config.json that was opened, into which the template can be saved. */
  config: Source | undefined;
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
  config: undefined,
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
  config = $state.raw(BLANK.config);
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

/** What the tab of chat templates holds. */
export interface WrittenChat {
  /** Jinja source. */
  template: string;
  tokens: { [name: string]: string };
  dialect: ChatTemplate["dialect"];
  /** The response template, if it was edited. */
  response: string | undefined;
  /** The tokenizer_config.json that was opened. */
  config: Source | undefined;
  title: string;
}

const BLANK_CHAT: WrittenChat = {
  template: "",
  tokens: {},
  dialect: "lenient",
  response: undefined,
  config: undefined,
  title: "",
};

class ChatSources implements WrittenChat {
  template = $state(BLANK_CHAT.template);
  tokens = $state.raw(BLANK_CHAT.tokens);
  dialect = $state(BLANK_CHAT.dialect);
  response = $state(BLANK_CHAT.response);
  config = $state.raw(BLANK_CHAT.config);
  title = $state(BLANK_CHAT.title);

  readonly request: ChatTemplate = $derived({
    chat_template: this.template,
    special_tokens: this.tokens,
    dialect: this.dialect,
  });

  put(written: Partial<WrittenChat>) {
    Object.assign(this, { ...BLANK_CHAT, ...written });
  }
}

/** How far the reference is. It's usable when `phase` is `ready`; calls made before that wait for it. */
export class Reference {
  state = $state.raw<State>({ phase: "loading", progress: null, reason: "" });
  versions = $state.raw<Versions | null>(null);
  readonly client: Client;

  constructor() {
    this.client = new Client({ first: KEYSTROKE, onState: (state) => (this.state = state) });
    this.client.call("versions", {}, { seconds: 30 }).then(
      (versions) => (this.versions = versions),
      () => {}, // what went wrong with loading is in `state`
    );
  }
}

export const sources = new Sources();
export const chat = new ChatSources();
export const reference = new Reference();
