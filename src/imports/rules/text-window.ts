/**
 * A text that comes in pieces, of which only those that are needed are in memory: from a place on as far as a record
 * may reach that begins there.
 */
export class TextWindow {
  readonly #pieces: Iterator<string>;
  readonly #reach: number;
  #isWhole = false;
  /** Records that begin before it are in the window. */
  #safe = 0;

  /** What is in memory; places are counted from its beginning. */
  text = '';

  /** @param reach characters of a record behind which its line ends it */
  constructor(pieces: Iterable<string>, reach: number) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#reach = reach;
  }

  /** Moves to a record, so that all of it is in `text`. @returns the place where it now begins */
  moveTo(at: number): number {
    if (at < this.#safe || this.#isWhole) return at;
    const parts = [this.text.slice(at)];
    let length = parts[0]!.length;
    this.#safe = 0;
    while (this.#safe === 0) {
      const { value, done } = this.#pieces.next();
      if (done) {
        this.#isWhole = true;
        break;
      }
      const end = value.lastIndexOf('\n');
      if (end >= 0) this.#safe = Math.max(0, length + end - this.#reach);
      length += value.length;
      parts.push(value);
    }
    this.text = parts.join('');
    return 0;
  }
}

/** The same text in memory of its own: a part of a text holds all of it. */
export const ownText = (text: string): string => Buffer.from(text).toString();
