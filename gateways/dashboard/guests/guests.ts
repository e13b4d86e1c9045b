import { batch, computed, signal } from '@preact/signals';

import { atLeast, type Role, ROLES } from '../../../src/kernel/rules/caller.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { freshUser, type SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { signedInRole } from '../access/roles.ts';
import { currentPath, followAddress, parameter, writeParameters } from '../address.ts';
import { ApiError, fetchProperties, type SignedAccess } from '../api.ts';
import { saveFile } from '../charts/file.ts';
import { network, onNetworkBack } from '../live/network.ts';
import * as api from './api.ts';
import { guests as words } from './messages.ts';

const PATH = '/guests';
/** Typing is followed once it rests. */
const SETTLE_MS = 250;

const PANELS = ['edit', 'merge', 'export', 'erase'] as const;
type PanelName = (typeof PANELS)[number];
/** The least role for each panel; the server decides, this leaves out what would be refused. */
const LEAST: Record<PanelName, Role> = { edit: 'STAFF', merge: 'MANAGER', export: 'MANAGER', erase: 'ADMIN' };

/** State of the guests' pages as signals: the search, or one profile. Not live: profiles belong to no property. */
export class GuestsStore {
  readonly query = signal('');
  readonly found = signal<api.GuestList | undefined>(undefined);
  readonly guestId = signal<string | undefined>(undefined);
  readonly profile = signal<api.ProfileView | undefined>(undefined);
  readonly stays = signal<api.GuestStays | undefined>(undefined);
  /** Notes about the guest, for those who may read them. */
  readonly notes = signal<api.GuestNoteList['items'] | undefined>(undefined);
  /** What merging the chosen profile takes from which. */
  readonly mergePlan = signal<api.MergeView | undefined>(undefined);
  readonly panel = signal<PanelName | undefined>(undefined);
  readonly busy = signal(false);
  /** Said of the last action. */
  readonly done = signal<string | undefined>(undefined);
  readonly trouble = signal<string | undefined>(undefined);
  /** Nothing is followed: whether there is a network is all that is known. */
  readonly connection = network;
  readonly propertyNames = signal<ReadonlyMap<string, string>>(new Map());
  readonly panels = computed(() => {
    return PANELS.filter((panel) => isAtLeast(LEAST[panel]));
  });
  readonly #config: PageConfig;
  #user: SignedIn;
  readonly #stop: () => void;
  readonly #stopWatching: () => void;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #reads = 0;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.#user = user;
    this.#readAddress();
    this.#stop = followAddress(() => this.#readAddress());
    this.#stopWatching = onNetworkBack(() => this.#readAgain());
    void this.#nameProperties();
  }

  get user(): SignedIn {
    return this.#user;
  }

  /** Searches once the typing rests; the address has the words, for Back from a profile. */
  search(query: string): void {
    this.query.value = query;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      writeParameters({ query: query.trim() }, 'replace');
      void this.#loadList();
    }, SETTLE_MS);
  }

  openPanel(panel: PanelName | undefined): void {
    batch(() => {
      this.panel.value = panel;
      this.mergePlan.value = undefined;
      this.trouble.value = undefined;
      if (panel !== undefined) this.done.value = undefined;
    });
    writeParameters({ view: panel, other: undefined }, panel === undefined ? 'replace' : 'push');
  }

  async save(change: api.ContactChange): Promise<void> {
    await this.#act(words.saved, async (signed, id) => {
      try {
        this.profile.value = await api.saveProfile(signed, this.profile.peek()!, change);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'STALE_VERSION') throw error;
        const now = await api.readGuest(signed, id);
        this.profile.value = now;
        throw new Error(words.changedMeanwhile(contactOf(now)), { cause: error });
      }
    });
  }

  /** Profiles that may be the same person; without this one. */
  async others(query: string): Promise<readonly api.ListedGuest[] | undefined> {
    try {
      const { items } = await api.searchGuests(await this.#access(), query);
      return items.filter(({ guestId }) => guestId !== this.profile.peek()?.guestId);
    } catch (error) {
      this.trouble.value = messageOf(error);
      return undefined;
    }
  }

  /** Shows what merging a profile takes; without one, the search for it. */
  async planMerge(from: string | undefined): Promise<void> {
    this.mergePlan.value = undefined;
    this.trouble.value = undefined;
    writeParameters({ other: from }, 'replace');
    const id = this.guestId.peek();
    if (from === undefined || id === undefined) return;
    try {
      this.mergePlan.value = await api.mergeInto(await this.#access(), id, { from, dryRun: true });
    } catch (error) {
      this.trouble.value = messageOf(error);
    }
  }

  async merge(): Promise<void> {
    const from = this.mergePlan.peek()?.from;
    if (from === undefined) return;
    await this.#act(words.mergedDone, async (signed, id) => {
      const { guest } = await api.mergeInto(signed, id, { from, dryRun: false });
      const [stays, notes] = await Promise.all([api.readStays(signed, id), api.readNotes(signed, id)]);
      batch(() => {
        if (guest) this.profile.value = guest;
        this.stays.value = stays;
        this.notes.value = notes;
      });
    });
  }

  /** @returns whether it is written */
  addNote(text: string, key: string): Promise<boolean> {
    return this.#act(words.noteSaved, async (signed, id) => {
      await api.addNote(signed, id, text, key);
      this.notes.value = await api.readNotes(signed, id);
    });
  }

  removeNote(noteId: string): Promise<boolean> {
    return this.#act(words.noteDeleted, async (signed, id) => {
      await api.deleteNote(signed, id, noteId);
      this.notes.value = await api.readNotes(signed, id);
    });
  }

  export(): Promise<boolean> {
    return this.#act(words.exported, async (signed, id) => {
      const text = JSON.stringify(await api.fetchExport(signed, id), null, 2);
      saveFile(`guest-${id}.json`, new Blob([text], { type: 'application/json' }));
    });
  }

  erase(): Promise<boolean> {
    return this.#act(words.erased, async (signed, id) => {
      await api.eraseProfile(signed, id);
      batch(() => {
        this.profile.value = undefined;
        this.stays.value = undefined;
        this.notes.value = undefined;
      });
    });
  }

  close(): void {
    clearTimeout(this.#typing);
    this.#stop();
    this.#stopWatching();
  }

  /** One action at a time, so that a double click acts once; the panel stays open when it fails. */
  async #act(done: string, action: (signed: SignedAccess, id: string) => Promise<void>): Promise<boolean> {
    const id = this.guestId.peek();
    if (this.busy.peek() || id === undefined) return false;
    this.busy.value = true;
    try {
      await action(await this.#access(), id);
      this.openPanel(undefined);
      this.done.value = done;
      return true;
    } catch (error) {
      this.trouble.value = messageOf(error);
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  #readAddress(): void {
    const [, , id] = currentPath().split('/');
    const panel = PANELS.find((one) => one === parameter('view'));
    batch(() => {
      this.panel.value = panel;
      this.trouble.value = undefined;
      this.query.value = parameter('query') ?? '';
    });
    if (id === undefined) {
      this.guestId.value = undefined;
      void this.#loadList();
    } else if (id !== this.guestId.peek()) {
      this.guestId.value = id;
      void this.#loadGuest(id);
    }
    const other = parameter('other');
    if (panel === 'merge' && id !== undefined && other !== undefined && !this.mergePlan.peek())
      void this.planMerge(other);
  }

  #loadList(): Promise<void> {
    return this.#load(
      (signed) => api.searchGuests(signed, this.query.peek().trim()),
      (found) => (this.found.value = found),
    );
  }

  #loadGuest(id: string): Promise<void> {
    batch(() => {
      this.profile.value = undefined;
      this.stays.value = undefined;
      this.notes.value = undefined;
      this.mergePlan.value = undefined;
      this.done.value = undefined;
    });
    const notes = (signed: SignedAccess) => (isAtLeast('STAFF') ? api.readNotes(signed, id) : undefined);
    return this.#load(
      (signed) => Promise.all([api.readGuest(signed, id), api.readStays(signed, id), notes(signed)]),
      ([profile, stays, written]) => {
        this.profile.value = profile;
        this.stays.value = stays;
        this.notes.value = written;
        if (profile.guestId !== id) this.done.value = words.mergedHere;
      },
    );
  }

  /** Only the answer to the newest question is shown. */
  async #load<T>(question: (signed: SignedAccess) => Promise<T>, take: (answer: T) => void): Promise<void> {
    const own = ++this.#reads;
    try {
      const answer = await question(await this.#access());
      if (own !== this.#reads) return;
      batch(() => {
        this.trouble.value = undefined;
        take(answer);
      });
    } catch (error) {
      if (own === this.#reads) this.trouble.value = messageOf(error);
    }
  }

  async #nameProperties(): Promise<void> {
    const properties = await fetchProperties(this.#config, this.#user).catch(() => []);
    this.propertyNames.value = new Map(properties.map(({ propertyId, name }) => [propertyId, name]));
  }

  /** A token expires within minutes, and these pages have no connection that renews it. */
  async #access(): Promise<SignedAccess> {
    this.#user = await freshUser(this.#user);
    return { config: this.#config, user: this.#user };
  }

  /** The network is back: reads what could not be read without it. What is shown stays. */
  #readAgain(): void {
    const id = this.guestId.peek();
    this.trouble.value = undefined;
    if (this.propertyNames.peek().size === 0) void this.#nameProperties();
    if (id === undefined) void this.#loadList();
    else if (this.profile.peek() === undefined && this.done.peek() !== words.erased) void this.#loadGuest(id);
  }
}

function isAtLeast(least: Role): boolean {
  const role = ROLES.find((one) => one === signedInRole.value);
  return role !== undefined && atLeast(role, least);
}

/** Address of a profile. */
export const profileOf = (guestId: string): string => `${PATH}/${encodeURIComponent(guestId)}`;

const contactOf = ({ firstName, lastName, email, phone }: api.ProfileView): string =>
  [`${firstName} ${lastName}`, email, ...(phone === null ? [] : [phone])].join(', ');

function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return access.expired;
  return error instanceof Error ? error.message : access.noService;
}
