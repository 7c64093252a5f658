/**
 * Code points and UTF-16 units: the reference counts the former, JavaScript's strings and CodeMirror the latter. This
 * is the one place where one is made of the other.
 */

const astral = /[\ud800-\udbff][\udc00-\udfff]/;
/** Every so many code points the unit that they begin at is kept. */
const STRIDE = 512;

/** A text with both measures. Texts without astral characters need nothing but themselves. */
export class Text {
  /** The number of code points. */
  readonly length: number;
  readonly #marks: Uint32Array | null;

  constructor(readonly string: string) {
    if (!astral.test(string)) {
      this.#marks = null;
      this.length = string.length;
      return;
    }
    const marks = new Uint32Array(Math.ceil(string.length / STRIDE) + 1);
    let points = 0;
    for (let unit = 0; unit < string.length; unit += width(string, unit)) {
      if (points % STRIDE === 0) marks[points / STRIDE] = unit;
      points++;
    }
    this.#marks = marks;
    this.length = points;
  }

  /** The unit at which the code point of this number begins; the string's length beyond the last. */
  unit(point: number): number {
    const clamped = Math.max(0, Math.min(point, this.length));
    if (!this.#marks || clamped === this.length) return this.#marks ? this.string.length : clamped;
    let unit = this.#marks[Math.floor(clamped / STRIDE)]!;
    for (let left = clamped % STRIDE; left > 0; left--) unit += width(this.string, unit);
    return unit;
  }

  /** The number of the code point that this unit belongs to. */
  point(unit: number): number {
    const clamped = Math.max(0, Math.min(unit, this.string.length));
    if (!this.#marks || clamped === this.string.length) return this.#marks ? this.length : clamped;
    const stride = search(this.#marks, clamped, Math.ceil(this.length / STRIDE));
    let at = this.#marks[stride]!;
    let point = stride * STRIDE;
    for (let next = at + width(this.string, at); next <= clamped; next = at + width(this.string, at)) {
      at = next;
      point++;
    }
    return point;
  }

  /** The code points from `from` to `to`, as a string. */
  slice(from: number, to: number = this.length): string {
    return this.string.slice(this.unit(from), this.unit(to));
  }
}

function width(string: string, unit: number): number {
  return string.codePointAt(unit)! > 0xffff ? 2 : 1;
}

/** The last of the first `count` marks that isn't beyond the unit. */
function search(marks: Uint32Array, unit: number, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (marks[middle]! <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}
