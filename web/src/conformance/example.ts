/** A module that can be tested: it runs as it is, and is to be connected to a parser. */

export const EXAMPLE = `const hello = {
  type: "hello", protocol: 1, name: "my-port", version: "0.1.0", language: "JavaScript",
  contents: ["text"], features: [], dialect: null, // dialect: "ecmascript" gets you \`patterns\`
};

export function answer(request) { // or async
  if (request.type === "hello") return hello;
  const { id, template, prefix, tools, options, chunks, patterns } = request;
  // Here make your parser, feed it each of the chunks, and finalize it. This one gives everything to one field:
  const feeds = chunks.map((text) => (text ? [{ type: "region_chunk", field: "content", text, dirty: false }] : []));
  return { type: "result", id, initial: [], feeds, final: [], message: { content: chunks.join("") } };
}
`;
