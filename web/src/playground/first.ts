/** The example that is there when the page opens: Qwen3's published template, and what the model might write. */

import template from "../../../conformance/suite/templates/qwen3.json?raw";
import type { Example } from "./gallery";

export const FIRST: Example = {
  title: "Qwen3: reasoning, answer, and a call",
  template,
  prefix: "<|im_start|>user\nIs it raining in Oslo?<|im_end|>\n<|im_start|>assistant\n",
  text:
    "<think>\nThe user asks about the weather, which I can't know. There is a tool for it.\n</think>\n\n" +
    "Let me look that up.\n" +
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 1}}\n</tool_call>\n<|im_end|>\n',
  tools: "",
};
