import { batch, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import { ApiError } from '../../api.ts';
import { errorLine } from './messages.ts';

/** Somebody is still typing. */
const TYPING_MS = 250;

/**
 * What a form sends: first tried out, so that one line can say what it will do, then carried out once. A second click
 * does nothing, and a repeat after a lost answer is the same request for the service.
 */
export class MoneyAttempt<A> {
  /** What the service says that it would do; absent while that is not known. */
  readonly preview = signal<A | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  /** Number of the latest question: answers to earlier ones are dropped. */
  #question = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #open: { content: string; key: string } | undefined;
  readonly #reread: () => Promise<void>;
  readonly #said: (error: unknown) => string;

  /**
   * @param reread reads the stay again, which this or somebody else has changed
   * @param said an error, with the next step
   */
  constructor(reread: () => Promise<void>, said: (error: unknown) => string = errorLine) {
    this.#reread = reread;
    this.#said = said;
  }

  /** Sends the dry run; without `work` there is none yet. An earlier error stays readable. */
  tryOut(work: (() => Promise<A>) | undefined, waitMs = TYPING_MS): void {
    clearTimeout(this.#typing);
    const question = ++this.#question;
    this.preview.value = undefined;
    if (work) this.#typing = setTimeout(() => void this.#ask(question, work), waitMs);
  }

  /** Carries it out. @returns undefined when it was refused, or when it is under way already */
  async carryOut(content: object, work: (key: string) => Promise<A>): Promise<A | undefined> {
    if (this.busy.peek()) return undefined;
    const text = JSON.stringify(content);
    const key = this.#open?.content === text ? this.#open.key : randomKey();
    this.#open = { content: text, key };
    clearTimeout(this.#typing);
    batch(() => {
      this.busy.value = true;
      this.error.value = undefined;
    });
    try {
      const answer = await work(key);
      this.#open = undefined;
      this.#question += 1;
      return answer;
    } catch (error) {
      // Else it is open whether anything was done: the same request is sent again with the same key.
      const isAnswered = error instanceof ApiError && !error.isRetryable;
      if (isAnswered) this.#open = undefined;
      this.error.value = this.#said(error);
      // A declined card, too, is a change of the stay: the next try is decided on what is there then.
      if (isAnswered) await this.#reread();
      return undefined;
    } finally {
      this.busy.value = false;
    }
  }

  async #ask(question: number, work: () => Promise<A>): Promise<void> {
    try {
      const answer = await work();
      if (question === this.#question) this.preview.value = answer;
    } catch (error) {
      if (question === this.#question) this.error.value = this.#said(error);
    }
  }
}
