/** Chat templates to begin with, each in the manner of many models, and of none. */

import jsonInTags from "./examples/json-in-tags.jinja?raw";
import namesAsKeys from "./examples/names-as-keys.jinja?raw";
import promptOpensReasoning from "./examples/prompt-opens-reasoning.jinja?raw";
import taggedArguments from "./examples/tagged-arguments.jinja?raw";

export interface ChatExample {
  title: string;
  template: string;
  tokens: { [name: string]: string };
}

export const EXAMPLES: ChatExample[] = [
  { title: "Calls in JSON, between tags", template: jsonInTags, tokens: {} },
  { title: "Calls with a tag for each argument", template: taggedArguments, tokens: {} },
  {
    title: "Reasoning that the prompt opens, a list of calls",
    template: promptOpensReasoning,
    tokens: { bos_token: "<s>", eos_token: "</s>" },
  },
  { title: "Calls that a response template can't read", template: namesAsKeys, tokens: {} },
];
