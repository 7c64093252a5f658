/** The names of a template's fields, each with the number of its look (`f0` to `f5` in app.css). */

export type Looks = Map<string, number>;

const LOOKS = 6;

/** In the order of the template; names that turn up in a stream only come after them. */
export function looksOf(template: string, others: Iterable<string | null>): Looks {
  const looks: Looks = new Map();
  for (const name of [...namesIn(template), ...others]) {
    if (name !== null && !looks.has(name)) looks.set(name, looks.size % LOOKS);
  }
  return looks;
}

function namesIn(template: string): string[] {
  try {
    const fields = JSON.parse(template)?.fields;
    return fields && typeof fields === "object" ? Object.keys(fields) : [];
  } catch {
    return []; // it's being written
  }
}

export function lookOf(looks: Looks, field: string | null): string {
  return field === null || !looks.has(field) ? "" : `f${looks.get(field)}`;
}
