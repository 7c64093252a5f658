import { load } from "antiphon-reference";

const ref = await load();
const template = {
  start_anchor: "<bot>",
  fields: { n: { open: "<n>", close: "</n>", content: "int" }, content: {} },
};

console.log(ref.parseResponse("<n>42</n>Yes", template, { prefix: "<bot>" }));
// { n: 42, content: 'Yes' }

const parser = ref.createParser(template, { prefix: "<bot><n>" });
console.log(parser.initialEvents);
// [ { type: 'region_open', field: 'n' } ]
console.log(parser.feed("42</"));
// [ { type: 'region_chunk', field: 'n', text: '42', dirty: false } ]
console.log(parser.feed("n>"));
// [ { type: 'region_close', field: 'n', value: 42 } ]
console.log(parser.finalize());
// { message: { n: 42 }, events: [] }

try {
  ref.parseResponse("<n>ten</n>", template, { prefix: "<bot>" });
} catch ({ stage, kind, field, position }) {
  console.log({ stage, kind, field, position });
  // { stage: 'feed', kind: 'int-syntax', field: 'n', position: 3 }
}
