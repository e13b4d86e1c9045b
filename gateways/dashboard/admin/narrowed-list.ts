import { batch, signal } from '@preact/signals';

import { parameter, writeParameters } from '../address.ts';
import { read } from '../api.ts';
import type { AdminStore } from './admin.ts';
import { messageOf } from './messages.ts';

/** Items that are read at once. */
const PAGE = '50';

type Of<F extends string> = {
  /** Filters by the names of their parameters in the address, and what the service calls them. */
  filters: Readonly<Record<F, string>>;
  /** Path of the list in the reservation service. */
  path(): string;
};

/** A list of the service as it is narrowed in the address, and read page by page. */
export class NarrowedList<Item, F extends string> {
  readonly filters = signal<Partial<Record<F, string>>>({});
  readonly items = signal<readonly Item[] | undefined>(undefined);
  readonly nextCursor = signal<string | null>(null);
  readonly trouble = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  protected readonly admin: AdminStore;
  readonly #of: Of<F>;
  readonly #names: readonly F[];
  #questions = 0;

  constructor(admin: AdminStore, of: Of<F>) {
    this.admin = admin;
    this.#of = of;
    this.#names = Object.keys(of.filters) as F[];
    this.filters.value = this.#by(parameter);
  }

  /** Reads the newest items with these filters, and writes them to the address. */
  async find(filters: Partial<Record<F, string>> = this.filters.peek()): Promise<void> {
    writeParameters(
      this.#by((name) => filters[name]),
      'replace',
    );
    batch(() => {
      this.filters.value = filters;
      this.items.value = undefined;
      this.nextCursor.value = null;
    });
    await this.more();
  }

  /** Reads the newest items with what was typed; what is left empty narrows nothing. */
  narrow(typed: FormData): Promise<void> {
    return this.find(
      this.#by((name) => {
        const value = typed.get(name);
        return typeof value === 'string' && value !== '' ? value : undefined;
      }),
    );
  }

  /** Reads the next page; only the answer to the newest question is shown. */
  async more(): Promise<void> {
    const question = ++this.#questions;
    this.busy.value = true;
    try {
      const query = this.#query();
      const access = await this.admin.fresh();
      type Page = { items: readonly Item[]; nextCursor: string | null };
      const { items, nextCursor } = await read<Page>(access, 'reservation', this.#of.path(), query);
      if (question !== this.#questions) return;
      batch(() => {
        this.items.value = [...(this.items.peek() ?? []), ...items];
        this.nextCursor.value = nextCursor;
        this.trouble.value = undefined;
      });
    } catch (error) {
      if (question === this.#questions) this.trouble.value = messageOf(error);
    } finally {
      if (question === this.#questions) this.busy.value = false;
    }
  }

  close(): void {
    this.#questions += 1;
  }

  #query(): Record<string, string> {
    const filters = this.filters.peek();
    const cursor = this.nextCursor.peek();
    const narrowed = this.#names.flatMap((name) => {
      const value = filters[name]?.trim();
      return value ? [[this.#of.filters[name], value]] : [];
    });
    return { limit: PAGE, ...Object.fromEntries(narrowed), ...(cursor !== null && { cursor }) };
  }

  #by(valueOf: (name: F) => string | undefined): Partial<Record<F, string>> {
    return Object.fromEntries(this.#names.map((name) => [name, valueOf(name)])) as Partial<Record<F, string>>;
  }
}
