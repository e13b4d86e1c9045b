import { batch, computed, type Signal, signal } from '@preact/signals';

import { LiveClient, type StreamListener, type StreamState } from '../../../src/live/contracts/live-client.ts';
import { LIVE_LIMITS } from '../../../src/live/contracts/live-limits.ts';
import { overWebSocket } from '../../../src/live/contracts/live-transports.ts';
import type { Replica } from '../../../src/live/contracts/replica.ts';
import { sessionUser, type SignedIn } from '../access/identity.ts';
import type { PropertySummary } from '../api.ts';
import { addDays, shownBusinessDate } from '../grid/days.ts';
import { liveUrl } from '../live/live-url.ts';
import { type FleetFigures, figuresOf } from './fleet-figures.ts';

/** Nights that the figures of a property cover. */
const NIGHTS = 30;
/** Changes come in bursts: figures are computed after them, not with each. */
const SETTLE_MS = 200;

export type FleetLine = { property: PropertySummary; figures: Signal<FleetFigures | undefined> };

export const FLEET_COLUMNS = ['name', 'tonight', 'week', 'month', 'pickup', 'cancelled', 'over'] as const;
export type FleetColumn = (typeof FLEET_COLUMNS)[number];
type FleetSort = { by: FleetColumn; descending: boolean };

/** All properties of a tenant, live, one page at a time: a connection follows a limited number. */
export class Fleet implements StreamListener {
  readonly state = signal<StreamState>({ kind: 'connecting' });
  readonly sort = signal<FleetSort>({ by: 'name', descending: false });
  readonly page = signal(0);
  readonly pages: number;
  readonly lines = computed((): readonly FleetLine[] => {
    const { by, descending } = this.sort.value;
    const ordered = this.#shown.value.toSorted((a, b) => compared(a, b, by));
    return descending ? ordered.reverse() : ordered;
  });
  readonly #all: readonly FleetLine[];
  readonly #shown = signal<readonly FleetLine[]>([]);
  readonly #serverNow: () => number;
  readonly #client: LiveClient;
  readonly #moved = new Map<string, Replica>();
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(user: SignedIn, properties: readonly PropertySummary[], serverNow: () => number) {
    this.#all = properties.map((property) => ({ property, figures: signal(undefined) }));
    this.#serverNow = serverNow;
    this.pages = Math.max(1, Math.ceil(properties.length / LIVE_LIMITS.subscriptions));
    this.#client = new LiveClient({
      connect: overWebSocket(() => new WebSocket(liveUrl())),
      token: user.token,
      tenantId: user.tenantId,
      listener: this,
      isOnline: () => navigator.onLine,
      freshToken: async () => (await sessionUser())?.token,
    });
    this.showPage(0);
  }

  /** First and last night of the figures, by the first property's business date. */
  get nights(): { start: string; end: string } {
    const first = this.#all[0]?.property;
    const start = first ? shownBusinessDate(this.#serverNow(), first.timezone, first.nightAuditHour) : '';
    return { start, end: start === '' ? '' : addDays(start, NIGHTS - 1) };
  }

  /** Follows the properties of a page only. */
  showPage(page: number): void {
    for (const { property } of this.#shown.peek()) this.#client.unfollow(property.propertyId);
    const first = page * LIVE_LIMITS.subscriptions;
    const lines = this.#all.slice(first, first + LIVE_LIMITS.subscriptions);
    for (const { property } of lines) {
      const { propertyId } = property;
      this.#client.follow({
        propertyId,
        topics: ['grid', 'kpi'],
        window: { start: this.#today(property), days: NIGHTS },
      });
    }
    batch(() => {
      this.page.value = page;
      this.#shown.value = lines;
    });
  }

  /** Sorts by a column; again for the other direction. */
  sortBy(by: FleetColumn): void {
    const before = this.sort.peek();
    // Largest figures first, names ascending.
    this.sort.value = { by, descending: before.by === by ? !before.descending : by !== 'name' };
  }

  stateChanged(state: StreamState): void {
    this.state.value = state;
  }

  dataChanged(replica: Replica): void {
    this.#moved.set(replica.propertyId, replica);
    this.#due ??= setTimeout(() => this.#addUp(), SETTLE_MS);
  }

  close(): void {
    clearTimeout(this.#due);
    this.#client.close();
  }

  #addUp(): void {
    this.#due = undefined;
    batch(() => {
      for (const { property, figures } of this.#shown.peek()) {
        const replica = this.#moved.get(property.propertyId);
        if (replica) figures.value = figuresOf(replica, this.#today(property));
      }
    });
    this.#moved.clear();
  }

  #today({ timezone, nightAuditHour }: PropertySummary): string {
    return shownBusinessDate(this.#serverNow(), timezone, nightAuditHour);
  }
}

function compared(one: FleetLine, other: FleetLine, by: FleetColumn): number {
  if (by === 'name') return one.property.name.localeCompare(other.property.name);
  const a = one.figures.value?.[by];
  const b = other.figures.value?.[by];
  return (a ?? -Infinity) - (b ?? -Infinity) || one.property.name.localeCompare(other.property.name);
}
