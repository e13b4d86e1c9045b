import { batch, computed, signal } from '@preact/signals';

import { randomKey } from '../../../packages/client/src/retrying.ts';
import { atLeast, type Role, ROLES } from '../../../src/kernel/rules/caller.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { freshUser, type SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { signedInRole } from '../access/roles.ts';
import { currentPath, followAddress, goToPage, pageUrl, parameter, writeParameters } from '../address.ts';
import { ask, fetchProperties, type PropertySummary, propertyPath, type SignedAccess } from '../api.ts';
import { shownBusinessDate } from '../grid/days.ts';
import { network, onNetworkBack } from '../live/network.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import { form as formWords } from './form/messages.ts';
import { SectionForm } from './form/section-form.ts';
import { messageOf } from './messages.ts';
import type { LoadedList, Place, Request, Section, SectionEntry } from './section.ts';
import { SECTIONS } from './sections.ts';

export const ADMIN_PATH = '/admin';
/** A lost answer is requested again, with the same key. */
const TRIES = 2;
/** After this a list in which something is under way is read again. */
const SETTLING_MS = 2_000;
/** How long the last change can be undone by one key. */
const UNDO_MS = 10_000;

/** State of the administration as signals: the open section, its list, and the form beside it. */
export class AdminStore {
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  /** Whether the properties are known; no section reads one before. */
  readonly isListed = signal(false);
  readonly sectionId = signal<string | undefined>(undefined);
  readonly sections = computed(() => SECTIONS.filter(({ least = 'ADMIN' }) => isAtLeast(least)));
  readonly entry = computed(() => this.sections.value.find(({ id }) => id === this.sectionId.value));
  /** The open section, once its code has come. */
  readonly section = computed(() => this.entry.value && this.#sections.value.get(this.entry.value));
  /** The code of the open section could not be loaded. */
  readonly isWithoutCode = signal(false);
  readonly loaded = signal<LoadedList<object> | undefined>(undefined);
  readonly query = signal('');
  readonly form = signal<SectionForm | undefined>(undefined);
  readonly trouble = signal<string | undefined>(undefined);
  /** Said of the last change. */
  readonly done = signal<string | undefined>(undefined);
  readonly undo = signal<readonly Request[] | undefined>(undefined);
  readonly undoing = signal(false);
  /** A text of the last change that is not shown again. */
  readonly shownOnce = signal<{ name: string; text: string } | undefined>(undefined);
  readonly connection = network;
  /** Counts changes, for what reads on its own. */
  readonly changes = signal(0);
  readonly #config: PageConfig;
  #user: SignedIn;
  readonly #stop: () => void;
  readonly #stopWatching: () => void;
  readonly #sections = signal<ReadonlyMap<SectionEntry, Section>>(new Map());
  #reads = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #undoTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.#user = user;
    this.#stop = followAddress(() => void this.#follow());
    this.#stopWatching = onNetworkBack(() => void this.#comeBack());
    void this.#open();
  }

  get user(): SignedIn {
    return this.#user;
  }

  /** Where sections read and write now. */
  place(): Place {
    const property = this.property.value;
    return {
      access: { config: this.#config, user: this.#user },
      tenantPath: `/api/v1/tenants/${encodeURIComponent(this.#user.tenantId)}`,
      property,
      propertyPath: propertyPath(this.#user, property?.propertyId ?? ''),
      today: property ? shownBusinessDate(Date.now(), property.timezone, property.nightAuditHour) : '',
    };
  }

  choose(propertyId: PropertyId): void {
    goToPage(pageUrl(currentPath(), { property: propertyId }));
  }

  search(query: string): void {
    this.query.value = query;
    writeParameters({ query: query.trim() }, 'replace');
  }

  /** Opens a form, for the row with a key where it is about one; without a form, closes it. */
  openForm(id: string | undefined, key?: string): void {
    writeParameters({ form: id, item: key }, id === undefined ? 'replace' : 'push');
    batch(() => {
      if (id !== undefined) {
        this.done.value = undefined;
        this.shownOnce.value = undefined;
        this.undo.value = undefined;
      }
      this.trouble.value = undefined;
      this.#showForm();
    });
  }

  /** Sends a write with a token that has not expired. @throws ApiError */
  async write({ service, method, path, body = {}, ifMatch }: Request, key: string): Promise<unknown> {
    const signed = await this.fresh();
    return (await ask(signed, service, path, { method, body, ifMatch, key }, TRIES)).body;
  }

  /** The list of the section as it is now. @throws ApiError */
  async readList(): Promise<LoadedList<object>> {
    await this.fresh();
    return (await this.section.peek()?.list?.read(this.place())) ?? { rows: [] };
  }

  /** The same row in another reading of the list. */
  rowIn({ rows }: LoadedList<object>, row: object): object | undefined {
    const list = this.section.peek()?.list;
    return rows.find((one) => list?.key(one) === list?.key(row));
  }

  /**
   * A change is done: the list is read again, and the change can be undone for a while. The form closes when the list is
   * read: one that is opened before would show the change as that of a colleague.
   */
  async saved(message: string, undo?: readonly Request[], shownOnce?: { name: string; text: string }): Promise<void> {
    const saved = this.form.peek();
    await this.reload();
    const trouble = this.trouble.peek();
    const shown = this.form.peek();
    clearTimeout(this.#undoTimer);
    batch(() => {
      if (shown === saved || shown === undefined) this.openForm(undefined);
      this.trouble.value = trouble;
      this.done.value = message;
      this.shownOnce.value = shownOnce;
      this.undo.value = undo;
      this.changes.value += 1;
    });
    if (undo) this.#undoTimer = setTimeout(() => (this.undo.value = undefined), UNDO_MS);
  }

  async takeBack(): Promise<void> {
    const requests = this.undo.peek();
    if (!requests || this.undoing.peek()) return;
    this.undoing.value = true;
    clearTimeout(this.#undoTimer);
    try {
      for (const request of requests) await this.write(request, randomKey());
      this.undo.value = undefined;
      this.done.value = formWords.undone;
      this.changes.value += 1;
    } catch (error) {
      this.trouble.value = messageOf(error);
    } finally {
      this.undoing.value = false;
    }
    await this.reload();
  }

  /** Reads the list of the section again, and the properties where the section is about them. */
  async reload(): Promise<void> {
    if (this.section.peek()?.setsProperties === true) await this.#list();
    await this.#load();
  }

  close(): void {
    this.#stop();
    this.#stopWatching();
    clearTimeout(this.#undoTimer);
    clearTimeout(this.#settling);
    this.form.peek()?.close();
  }

  /** A token expires within minutes, and these pages have no connection that renews it. */
  async fresh(): Promise<SignedAccess> {
    this.#user = await freshUser(this.#user);
    return { config: this.#config, user: this.#user };
  }

  async #open(): Promise<void> {
    this.#readAddress();
    await Promise.all([this.#list(), this.#opened()]);
    await this.#load();
  }

  /** There is a network again: what could not be loaded without one is loaded now. */
  async #comeBack(): Promise<void> {
    this.trouble.value = undefined;
    if (!this.isListed.peek()) await this.#list();
    if (this.loaded.peek() === undefined) await this.#load();
  }

  /** The open section with its code. */
  async #opened(): Promise<Section | undefined> {
    const entry = this.entry.peek();
    const known = this.section.peek();
    if (!entry || known) return known;
    this.isWithoutCode.value = false;
    try {
      const section = await entry.load();
      this.#sections.value = new Map(this.#sections.peek()).set(entry, section);
      return section;
    } catch {
      if (this.entry.peek() === entry) this.isWithoutCode.value = true;
      return undefined;
    }
  }

  /** The address has moved: to another section, property or form. */
  async #follow(): Promise<void> {
    const before = `${this.sectionId.peek()} ${this.property.peek()?.propertyId}`;
    this.#readAddress();
    if (before === `${this.sectionId.peek()} ${this.property.peek()?.propertyId}`) return this.#showForm();
    batch(() => {
      this.loaded.value = undefined;
      this.trouble.value = undefined;
      this.done.value = undefined;
      this.undo.value = undefined;
      this.#showForm();
    });
    return this.#load();
  }

  #readAddress(): void {
    const [, , section] = currentPath().split('/');
    batch(() => {
      this.sectionId.value = section;
      this.query.value = parameter('query') ?? '';
      this.#chooseProperty();
    });
  }

  #chooseProperty(): void {
    const properties = this.properties.peek();
    const wanted = parameter('property') ?? sessionStorage.getItem(PROPERTY_KEY);
    const chosen = properties.find(({ propertyId }) => propertyId === wanted) ?? properties[0];
    this.property.value = chosen;
    if (chosen) sessionStorage.setItem(PROPERTY_KEY, chosen.propertyId);
  }

  async #list(): Promise<void> {
    try {
      const { config, user } = await this.fresh();
      const properties = await fetchProperties(config, user);
      batch(() => {
        this.properties.value = properties;
        this.#chooseProperty();
        this.isListed.value = true;
      });
    } catch (error) {
      this.trouble.value = error instanceof Error ? error.message : access.notListed;
    }
  }

  /** Only the answer to the newest question is shown. */
  async #load(): Promise<void> {
    const own = ++this.#reads;
    clearTimeout(this.#settling);
    const section = await this.#opened();
    if (own !== this.#reads || !section?.list || !this.isListed.peek()) return;
    if (this.entry.peek()?.of === 'property' && !this.property.peek()) return;
    try {
      await this.fresh();
      const loaded = await section.list.read(this.place());
      if (own !== this.#reads) return;
      batch(() => {
        this.loaded.value = loaded;
        this.#showForm();
      });
      if (loaded.isSettling === true) this.#settling = setTimeout(() => void this.#load(), SETTLING_MS);
    } catch (error) {
      if (own === this.#reads) this.trouble.value = messageOf(error);
    }
  }

  /** Opens the form that the address names, once its row is known. */
  #showForm(): void {
    const list = this.section.peek()?.list;
    const loaded = this.loaded.peek();
    const found = list?.forms.find(({ id }) => id === parameter('form'));
    const key = parameter('item');
    const row = key === undefined ? undefined : loaded?.rows.find((one) => list?.key(one) === key);
    const shown = this.form.peek();
    if (found && shown?.of === found && isSameRow(list, shown.row, row)) return;
    shown?.close();
    const isReady = found !== undefined && loaded !== undefined && (found.of === 'list' || row !== undefined);
    this.form.value = isReady ? new SectionForm(this, found, row, loaded) : undefined;
  }
}

function isSameRow(list: Section['list'], one: object | undefined, other: object | undefined): boolean {
  return (one && list?.key(one)) === (other && list?.key(other));
}

function isAtLeast(least: Role): boolean {
  const role = ROLES.find((one) => one === signedInRole.value);
  return role !== undefined && atLeast(role, least);
}
