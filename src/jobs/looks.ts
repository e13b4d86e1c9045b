/** Looks that are never two at a time: who asks for one while it is under way gets that one. */
export class Looks<T> {
  readonly #begin: () => Promise<T>;
  #looking: Promise<T> | undefined;

  constructor(begin: () => Promise<T>) {
    this.#begin = begin;
  }

  look(): Promise<T> {
    this.#looking ??= this.#begin().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** A look of now: one that is under way may have asked before a clock was moved. */
  async lookAgain(): Promise<T> {
    await this.done();
    return this.look();
  }

  /** The end of the look that is under way, whatever it is. */
  async done(): Promise<void> {
    await this.#looking?.catch(() => undefined);
  }
}
