import { batch, computed, signal } from '@preact/signals';

import { mayOpen, pageAt, PAGES } from '../../../src/live/contracts/page-addresses.ts';
import { freshAccess } from '../access/page-access.ts';
import { signedInRole } from '../access/roles.ts';
import { pageUrl, currentPath, goToPage, parameter } from '../address.ts';
import { fetchProperties, type PropertySummary } from '../api.ts';
import { dayRange, longDay, shownBusinessDate } from '../grid/days.ts';
import { profileOf } from '../guests/guests.ts';
import { stayStates } from '../guests/messages.ts';
import { serverNow } from '../live/lag.ts';
import { PROPERTY_KEY } from '../properties/property-key.ts';
import { workspaceNames } from '../workspace-messages.ts';
import { type PaletteCommand, offeredCommands } from './commands.ts';
import { dateIn } from './date-in.ts';
import { findPeople, type FoundPeople } from './found-people.ts';
import { palette as words } from './messages.ts';
import { commandsOfPage, withProperty } from './page-commands.ts';

type Group = keyof typeof words.groups;

/** A line of the palette. */
export type PaletteEntry = PaletteCommand & { id: string; group: Group; detail?: string };

/** A pause in typing after which the service is called. */
const PAUSE_MS = 300;
const MIN_LETTERS = 2;
const MAX_PROPERTIES = 6;
const DESK = '/desk';
const REVENUE = '/revenue';

/** The property of the page, or the one that was shown last. */
const shownProperty = (): string | undefined =>
  parameter('property') ?? sessionStorage.getItem(PROPERTY_KEY) ?? undefined;

/** What the palette finds for what is typed, and which line is chosen. */
export class Palette {
  readonly query = signal('');
  readonly isLooking = signal(false);
  readonly #chosen = signal<string | undefined>(undefined);
  readonly #properties = signal<readonly PropertySummary[]>([]);
  readonly #isListed = signal(false);
  readonly #people = signal<FoundPeople>({ guests: [], stays: [] });
  readonly entries = computed((): readonly PaletteEntry[] => [
    ...this.#dates(),
    ...this.#commands(),
    ...this.#pages(),
    ...this.#named(),
    ...this.#stays(),
    ...this.#guests(),
  ]);
  /** The line that Enter runs: the first, unless another one is chosen. */
  readonly active = computed((): PaletteEntry | undefined => {
    const entries = this.entries.value;
    return entries.find(({ id }) => id === this.#chosen.value) ?? entries[0];
  });
  #pause: ReturnType<typeof setTimeout> | undefined;
  #question = 0;

  constructor() {
    void this.#list();
  }

  type(query: string): void {
    const asks = mayDo('STAFF') && query.trim().length >= MIN_LETTERS;
    this.#question += 1;
    clearTimeout(this.#pause);
    batch(() => {
      this.query.value = query;
      this.#chosen.value = undefined;
      this.#people.value = { guests: [], stays: [] };
      this.isLooking.value = asks;
    });
    if (asks) this.#pause = setTimeout(() => void this.#look(query.trim()), PAUSE_MS);
  }

  choose(id: string): void {
    this.#chosen.value = id;
  }

  /** Chooses a line further down, or up; from the last to the first. */
  move(by: number): void {
    const entries = this.entries.peek();
    if (entries.length === 0) return;
    const at = entries.findIndex(({ id }) => id === this.active.peek()?.id);
    this.#chosen.value = entries.at((at + by + entries.length) % entries.length)?.id;
  }

  stop(): void {
    this.#question += 1;
    clearTimeout(this.#pause);
  }

  async #look(query: string): Promise<void> {
    const question = this.#question;
    // What cannot be read is not found; all others are there.
    const found = await findPeople(query, shownProperty()).catch(() => undefined);
    if (question !== this.#question) return;
    batch(() => {
      if (found) this.#people.value = found;
      this.isLooking.value = false;
    });
  }

  async #list(): Promise<void> {
    const access = await freshAccess();
    const properties = access ? await fetchProperties(access.config, access.user).catch(() => []) : [];
    batch(() => {
      this.#properties.value = properties;
      this.#isListed.value = true;
    });
  }

  #fits(text: string): boolean {
    const typed = this.query.value.trim().toLowerCase().split(/\s+/);
    return typed.every((word) => text.toLowerCase().includes(word));
  }

  #commands(): PaletteEntry[] {
    const offered = offeredCommands();
    const names = new Set(offered.map(({ name }) => name));
    return [...offered, ...commandsOfPage().filter(({ name }) => !names.has(name))]
      .filter(({ name, words: more = '' }) => this.#fits(`${name} ${more}`))
      .map((command) => ({ ...command, id: `command ${command.name}`, group: 'commands' }));
  }

  #pages(): PaletteEntry[] {
    return PAGES.filter((page) => mayOpen(page, signedInRole.value))
      .filter(({ workspace }) => this.#fits(workspaceNames[workspace]))
      .map(({ workspace, paths: [path] }) => ({
        id: `page ${workspace}`,
        group: 'pages',
        name: workspaceNames[workspace],
        run: () => goToPage(path),
      }));
  }

  /** Properties, which open on the page that is open now where that shows one. */
  #named(): PaletteEntry[] {
    const page = pageAt(currentPath());
    const isOfOne = page !== undefined && page.workspace !== 'fleet' && page.workspace !== 'guests';
    const path = isOfOne ? page.paths[0] : mayDo('MANAGER') ? REVENUE : DESK;
    return this.#properties.value
      .filter(({ name, propertyId }) => this.#fits(`${name} ${propertyId}`))
      .slice(0, MAX_PROPERTIES)
      .map(({ name, propertyId }) => ({
        id: `property ${propertyId}`,
        group: 'properties',
        name,
        run: () => {
          // For pages that open without a property in their address.
          sessionStorage.setItem(PROPERTY_KEY, propertyId);
          goToPage(pageUrl(path, { property: propertyId }));
        },
      }));
  }

  #dates(): PaletteEntry[] {
    // Which day it is depends on the zone of the property: not before that is known.
    if (!this.#isListed.value) return [];
    const today = this.#today();
    const date = dateIn(this.query.value, today);
    if (date === undefined) return [];
    const day = longDay(date);
    const desk = { id: `desk ${date}`, name: words.deskOn(day), run: () => goToPage(withProperty(DESK, { date })) };
    const rates = {
      id: `rates ${date}`,
      name: words.ratesFrom(day),
      run: () => goToPage(withProperty(REVENUE, { from: date })),
    };
    // Prices of nights that are over are not set.
    const both = date < today ? [desk] : currentPath() === REVENUE ? [rates, desk] : [desk, rates];
    return both.map((entry) => ({ ...entry, group: 'dates', detail: date }));
  }

  #stays(): PaletteEntry[] {
    const names = new Map(this.#properties.value.map(({ propertyId, name }) => [propertyId, name]));
    const several = names.size > 1;
    return this.#people.value.stays.map(({ reservationId, propertyId, guestInfo, stayDetails, status }) => {
      const { checkIn, checkOut } = stayDetails;
      const property = several ? (names.get(propertyId) ?? propertyId) : '';
      return {
        id: `stay ${reservationId}`,
        group: 'stays',
        name: `${guestInfo.firstName} ${guestInfo.lastName}`,
        detail: words.stay(stayStates[status] ?? status, dayRange(checkIn, checkOut), checkOut.slice(0, 4), property),
        run: () => goToPage(withProperty(DESK, { property: propertyId, stay: reservationId, room: undefined })),
      };
    });
  }

  #guests(): PaletteEntry[] {
    return this.#people.value.guests.map(({ guestId, firstName, lastName, email }) => ({
      id: `guest ${guestId}`,
      group: 'guests',
      name: `${firstName} ${lastName}`,
      detail: [words.profile, email].filter(Boolean).join(' · '),
      run: () => goToPage(profileOf(guestId)),
    }));
  }

  /** The business date of the shown property. */
  #today(): string {
    const named = shownProperty();
    const properties = this.#properties.value;
    const shown = properties.find(({ propertyId }) => propertyId === named) ?? properties[0];
    return shownBusinessDate(serverNow(), shown?.timezone, shown?.nightAuditHour ?? 0);
  }
}

const mayDo = (least: 'STAFF' | 'MANAGER'): boolean => mayOpen({ ...PAGES[0], least }, signedInRole.value);
