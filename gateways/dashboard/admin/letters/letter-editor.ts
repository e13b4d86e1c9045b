import { batch, computed, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { type Language, LANGUAGE_NAMES, LANGUAGES } from '../../../../src/kernel/rules/languages.ts';
import type { lettersAnswer } from '../../../../src/notifications/contracts/letters.ts';
import {
  LETTER_KINDS,
  LETTER_PARTS,
  type LetterKind,
  type LetterPart,
} from '../../../../src/notifications/rules/letter-kinds.ts';
import { parameter, writeParameters } from '../../address.ts';
import { ApiError, read } from '../../api.ts';
import type { AdminStore } from '../admin.ts';
import { form as formWords } from '../form/messages.ts';
import { messageOf } from '../messages.ts';
import type { Request } from '../section.ts';
import { LETTER_NAMES } from './letter-names.ts';
import { letters as words } from './messages.ts';

type Letters = WireOf<typeof lettersAnswer>;
type Letter = Letters['kinds'][number]['letters'][number];
type Texts = Record<LetterPart, string>;
type Preview = { subject: string; text: string };

/** Somebody is still typing. */
const TYPING_MS = 300;

/** Texts of one letter in one language as they are edited, with what a guest would read. */
export class LetterEditor {
  readonly kind = signal<LetterKind>(LETTER_KINDS.find((one) => one === parameter('letter')) ?? 'CONFIRMATION');
  readonly language = signal<Language>(LANGUAGES.find((one) => one === parameter('language')) ?? 'en');
  readonly letters = signal<Letters | undefined>(undefined);
  readonly typed = signal<Texts>({ subject: '', opening: '', closing: '' });
  readonly preview = signal<Preview | undefined>(undefined);
  readonly problems = signal<ReadonlyMap<string, string>>(new Map());
  readonly trouble = signal<string | undefined>(undefined);
  readonly done = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  /** What a colleague has saved meanwhile; it is overwritten only by somebody who has seen it. */
  readonly differences = signal<readonly string[] | undefined>(undefined);
  readonly ofKind = computed(() => this.letters.value?.kinds.find(({ kind }) => kind === this.kind.value));
  readonly letter = computed(() =>
    this.ofKind.value?.letters.find(({ language }) => language === this.language.value),
  );
  readonly isChanged = computed(() => {
    const letter = this.letter.value;
    return letter !== undefined && LETTER_PARTS.some((part) => textsOf(letter)[part] !== this.typed.value[part]);
  });
  readonly #admin: AdminStore;
  #questions = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(admin: AdminStore) {
    this.#admin = admin;
  }

  get name(): string {
    return LETTER_NAMES[this.kind.value];
  }

  get languageName(): string {
    return LANGUAGE_NAMES[this.language.value];
  }

  /** Reads all letters of the property, and shows the chosen one. */
  async open(): Promise<void> {
    try {
      this.letters.value = await this.#read();
      this.#show();
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
  }

  choose(kind: LetterKind, language: Language): void {
    batch(() => {
      this.kind.value = kind;
      this.language.value = language;
      this.done.value = undefined;
    });
    writeParameters({ letter: kind, language }, 'replace');
    this.#show();
  }

  type(part: LetterPart, text: string): void {
    this.typed.value = { ...this.typed.peek(), [part]: text };
    this.done.value = undefined;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#preview(), TYPING_MS);
  }

  /** What saving sends: texts that are not the standard ones; without any, the letter is the standard one again. */
  request(): Request {
    const own = this.#own();
    return Object.keys(own).length === 0 ? this.resetting() : { ...this.#to('PUT'), body: own };
  }

  resetting(): Request {
    return this.#to('DELETE');
  }

  save(): Promise<void> {
    return this.#send(this.request());
  }

  reset(): Promise<void> {
    return this.#send(this.resetting());
  }

  /** Shows the texts that a colleague has saved instead of the own ones. */
  takeTheirs(): void {
    this.#show();
  }

  close(): void {
    clearTimeout(this.#typing);
    this.#questions += 1;
  }

  #show(): void {
    const letter = this.letter.peek();
    batch(() => {
      if (letter) this.typed.value = textsOf(letter);
      this.problems.value = new Map();
      this.trouble.value = undefined;
      this.differences.value = undefined;
      this.preview.value = undefined;
    });
    void this.#preview();
  }

  async #send(request: Request): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    try {
      const saved = (await this.#admin.write(request, randomKey())) as Letter;
      this.#replace(saved);
      this.#show();
      this.done.value = (saved.isOwn ? words.saved : words.isStandard)(this.name, this.languageName);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'STALE_VERSION') await this.#showTheirs();
      else this.#explain(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** A colleague was faster: what is typed stays, and what they have saved is said. */
  async #showTheirs(): Promise<void> {
    const before = this.letter.peek()!;
    this.letters.value = await this.#read();
    const now = textsOf(this.letter.peek()!);
    this.differences.value = LETTER_PARTS.filter((part) => textsOf(before)[part] !== now[part]).map((part) =>
      formWords.changedTo(words[part], textsOf(before)[part], now[part]),
    );
  }

  #explain(error: unknown): void {
    const found = new Map<string, string>();
    for (const { pointer, detail } of (error instanceof ApiError && error.problem?.errors) || [])
      if (pointer !== undefined) found.set(pointer.slice(1), `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`);
    batch(() => {
      this.problems.value = found;
      this.trouble.value = found.size > 0 ? formWords.checkFields : messageOf(error);
    });
  }

  /** Only the answer to the newest question is shown. */
  async #preview(): Promise<void> {
    const question = ++this.#questions;
    if (!this.letter.peek()) return;
    const kind = this.kind.peek();
    const body = { language: this.language.peek(), ...this.#own() };
    const path = `${this.#path}/${kind}/preview`;
    try {
      const shown = (await this.#admin.write(
        { service: 'reservation', method: 'POST', path, body },
        randomKey(),
      )) as Preview;
      if (question !== this.#questions) return;
      batch(() => {
        this.preview.value = shown;
        this.problems.value = new Map();
        this.trouble.value = undefined;
      });
    } catch (error) {
      if (question !== this.#questions) return;
      this.preview.value = undefined;
      this.#explain(error);
    }
  }

  #own(): Partial<Texts> {
    const standard = this.letter.peek()?.standard;
    const typed = this.typed.peek();
    const own = LETTER_PARTS.filter((part) => typed[part].trim() !== '' && typed[part] !== standard?.[part]);
    return Object.fromEntries(own.map((part) => [part, typed[part]]));
  }

  #to(method: 'PUT' | 'DELETE'): Request {
    const path = `${this.#path}/${this.kind.value}/${this.language.value}`;
    return { service: 'reservation', method, path, ifMatch: `"${this.letter.value?.version ?? 0}"` };
  }

  get #path(): string {
    return `${this.#admin.place().propertyPath}/letters`;
  }

  async #read(): Promise<Letters> {
    return read<Letters>(await this.#admin.fresh(), 'reservation', this.#path);
  }

  #replace(saved: Letter): void {
    const all = this.letters.peek()!;
    const kinds = all.kinds.map((one) => ({
      ...one,
      letters: one.letters.map((letter) =>
        one.kind === saved.kind && letter.language === saved.language ? saved : letter,
      ),
    }));
    this.letters.value = { ...all, kinds };
  }
}

/** Texts that guests get. */
function textsOf({ own, standard }: Letter): Texts {
  return { ...standard, ...own };
}
