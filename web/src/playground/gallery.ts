/** The gallery: templates of real models, with texts as they write them. Made from the suite, fetched when wanted. */

export interface Example {
  title: string;
  template: string;
  prefix: string;
  text: string;
  tools: string;
}

export interface Family {
  name: string;
  description: string;
  examples: (Example & { id: string; description: string })[];
}

let fetched: Promise<Family[]> | undefined;

export function gallery(): Promise<Family[]> {
  fetched ??= load();
  fetched.catch(() => (fetched = undefined)); // another opening tries again
  return fetched;
}

async function load(): Promise<Family[]> {
  const response = await fetch(new URL("./runtime/gallery.json", document.baseURI));
  if (!response.ok) throw new Error(`the examples couldn't be loaded (${response.status})`);
  return ((await response.json()) as { families: Family[] }).families;
}

/** The families with those of their examples that have all these words, in whatever member. */
export function found(families: Family[], words: string): Family[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return families
    .map((family) => ({
      ...family,
      examples: family.examples.filter((example) => {
        const all = `${family.name} ${example.title} ${example.description} ${example.id}`.toLowerCase();
        return wanted.every((word) => all.includes(word));
      }),
    }))
    .filter((family) => family.examples.length);
}
