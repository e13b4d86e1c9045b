import { batch, computed, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import { ApiError } from '../../api.ts';
import type { AdminStore } from '../admin.ts';
import type { Form, LoadedList, Request } from '../section.ts';
import { fieldProblems } from './field-problems.ts';
import { memberAt, shownFields, shownValue, fieldText, typingProblems, type FormValues } from './fields.ts';
import { form as words } from './messages.ts';

/** A member that somebody else has changed since the form was opened. */
export type Difference = { label: string; text: string };

/** An open form: what is typed, and what the service says of it. */
export class SectionForm {
  readonly admin: AdminStore;
  readonly of: Form<object>;
  readonly row: object | undefined;
  readonly values = signal<FormValues>({});
  readonly fields = computed(() => {
    const { of, admin, row } = this;
    return shownFields(of.fields(admin.place(), row, this.#loaded), this.values.value);
  });
  /** What is wrong, by field. */
  readonly problems = signal<ReadonlyMap<string, string>>(new Map());
  readonly trouble = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  /** Requests that are done, of several. */
  readonly done = signal(0);
  readonly typed = signal('');
  readonly preview = signal<readonly string[] | undefined>(undefined);
  /** What a colleague has changed meanwhile; it is overwritten only by somebody who has seen it. */
  readonly differences = signal<readonly Difference[] | undefined>(undefined);
  /** The list as it was read last, and in it the row that the values were decided on. */
  #loaded: LoadedList<object>;
  #seen: object | undefined;
  /** Keys of the requests by their text: after a lost answer the same ones are sent again. */
  readonly #keys = new Map<string, string>();
  #previews = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(admin: AdminStore, of: Form<object>, row: object | undefined, loaded: LoadedList<object>) {
    this.admin = admin;
    this.of = of;
    this.row = row;
    this.#loaded = loaded;
    this.#seen = row;
    this.values.value = this.#valuesOf(row);
    // Without anything to type, what would follow is known at once.
    if (this.fields.peek().length === 0) this.#schedulePreview();
  }

  get line(): string | undefined {
    return this.of.line?.(this.values.value, this.row, this.#loaded);
  }

  get rejection(): string | undefined {
    return this.of.refused?.(this.row, this.#loaded);
  }

  get confirmText(): string | undefined {
    return this.of.confirm?.(this.row, this.admin.place());
  }

  change(name: string, value: string): void {
    batch(() => {
      this.values.value = { ...this.values.peek(), [name]: value };
      const problems = new Map(this.problems.peek());
      problems.delete(name);
      this.problems.value = problems;
    });
    this.#schedulePreview();
  }

  /** What would be sent with what is typed now. */
  requests(): Request[] {
    return this.of.requests(this.values.value, this.#seen, this.admin.place(), this.#loaded);
  }

  /** Sends it, unless a colleague has changed the row: then their change is shown first. */
  async submit(): Promise<void> {
    if (this.busy.peek()) return;
    const problems = typingProblems(this.fields.peek(), this.values.peek());
    this.problems.value = problems;
    this.trouble.value = problems.size > 0 ? words.checkFields : undefined;
    if (problems.size > 0) return;
    this.busy.value = true;
    try {
      if (this.differences.peek() === undefined && (await this.#hasChanged())) return;
      await this.#send();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'STALE_VERSION' && (await this.#sawChange())) return;
      this.#explain(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** Shows the values that a colleague has saved instead of the own ones. */
  takeTheirs(): void {
    batch(() => {
      this.values.value = this.#valuesOf(this.#seen);
      this.differences.value = undefined;
      this.trouble.value = undefined;
    });
  }

  close(): void {
    clearTimeout(this.#typing);
    this.#previews += 1;
  }

  #valuesOf(row: object | undefined): FormValues {
    const place = this.admin.place();
    if (this.of.values) return this.of.values(row, place);
    const fields = this.of.fields(place, row, this.#loaded);
    return Object.fromEntries(fields.map(({ name }) => [name, fieldText(memberAt(row, name))]));
  }

  /**
   * Reads the list again, for what is sent besides the fields, and whether a colleague has changed the row in what the
   * form shows.
   */
  async #hasChanged(): Promise<boolean> {
    this.#loaded = await this.admin.readList();
    if (this.#seen === undefined) return false;
    const now = this.admin.rowIn(this.#loaded, this.#seen);
    if (!now) {
      this.trouble.value = words.wasRemoved;
      return true;
    }
    const before = this.#valuesOf(this.#seen);
    const after = this.#valuesOf(now);
    this.#seen = now;
    const changed = this.of
      .fields(this.admin.place(), now, this.#loaded)
      .filter(({ name }) => after[name] !== before[name]);
    if (changed.length === 0) return false;
    this.differences.value = changed.map((field) => ({
      label: field.label,
      text: words.changedTo(field.label, shownValue(field, before[field.name]), shownValue(field, after[field.name])),
    }));
    return true;
  }

  /** Somebody was faster by less than a reading: what they have changed is shown before it is overwritten. */
  async #sawChange(): Promise<boolean> {
    return this.#hasChanged().catch(() => false);
  }

  async #send(): Promise<void> {
    const requests = this.requests();
    let answer: unknown;
    for (const [index, request] of requests.entries()) {
      this.done.value = index;
      const text = JSON.stringify(request);
      const key = this.#keys.get(text) ?? randomKey();
      this.#keys.set(text, key);
      answer = await this.admin.write(request, key);
    }
    const { values, of, row } = this;
    const undo = of.undo?.(values.peek(), this.#seen, this.admin.place(), answer, this.#loaded);
    const address = of.leadsTo?.(row);
    if (address !== undefined) location.assign(address);
    else await this.admin.saved(of.done?.(values.peek(), row, answer) ?? words.saved, undo, of.shownOnce?.(answer));
  }

  #explain(error: unknown): void {
    const said = error instanceof ApiError ? error : undefined;
    const requests = this.requests();
    const done = this.done.peek();
    const at = requests[done]?.pointer ?? '';
    const problems = fieldProblems(said?.problem, at, this.fields.peek());
    const message = said && this.of.explained?.[said.code];
    const before = done > 0 ? `${words.stoppedAt(done, requests.length)} ` : '';
    batch(() => {
      this.problems.value = problems;
      this.trouble.value =
        before + (message ?? (problems.size > 0 ? words.checkFields : error instanceof Error ? error.message : ''));
    });
    if (done > 0) void this.admin.reload();
  }

  /** Sends the dry run once the typing rests. */
  #schedulePreview(): void {
    const { preview } = this.of;
    clearTimeout(this.#typing);
    const question = ++this.#previews;
    this.preview.value = undefined;
    if (!preview || typingProblems(this.fields.peek(), this.values.peek()).size > 0) return;
    this.#typing = setTimeout(() => void this.#preview(question, preview), TYPING_MS);
  }

  async #preview(question: number, preview: NonNullable<Form<object>['preview']>): Promise<void> {
    try {
      await this.admin.fresh();
      const lines = await preview(this.values.peek(), this.row, this.admin.place());
      if (question === this.#previews) this.preview.value = lines;
    } catch {
      // What is wrong with it is said when it is sent.
    }
  }
}

/** Somebody is still typing. */
const TYPING_MS = 300;
