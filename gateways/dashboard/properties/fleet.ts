import { batch, computed, effect, type Signal, signal } from '@preact/signals';

import { LiveClient, type StreamState } from '../../../packages/client/src/live/live-client.ts';
import { LIVE_LIMITS } from '../../../packages/client/src/live/live-limits.ts';
import { overWebSocket } from '../../../packages/client/src/live/live-transports.ts';
import type { Replica } from '../../../packages/client/src/live/replica.ts';
import { sessionUser, type SignedIn } from '../access/identity.ts';
import { mayManage, signedInRole } from '../access/roles.ts';
import { parameter, writeParameters } from '../address.ts';
import type { PropertySummary } from '../api.ts';
import { openLive } from '../early/early.ts';
import { addDays, shownBusinessDate } from '../grid/days.ts';
import { LagMeter } from '../live/lag.ts';
import { network } from '../live/network.ts';
import { type FleetFigures, figuresOf } from './fleet-figures.ts';

/** Nights that pickup and alerts cover: those of the revenue workspace, so that both say the same. */
const NIGHTS = 90;
/** Connections of one page, each of which follows a limited number of properties: 200 together. */
const MAX_CONNECTIONS = 10;
const MAX_LINES = MAX_CONNECTIONS * LIVE_LIMITS.subscriptions;
/** Changes come in bursts: figures are computed after them, not with each. */
const SETTLE_MS = 200;

export type FleetLine = { property: PropertySummary; figures: Signal<FleetFigures | undefined> };

export const FLEET_COLUMNS = ['name', 'occupancy', 'adr', 'revPar', 'pickup', 'alerts'] as const;
export type FleetColumn = (typeof FLEET_COLUMNS)[number];
type FleetSort = { by: FleetColumn; descending: boolean };

/**
 * All properties of a tenant from the live feed, 200 at a time, over a connection for every twenty of them. What is
 * sorted, filtered and linked to stands in the address.
 */
export class Fleet {
  readonly state = computed((): StreamState => {
    const states = this.#states.value;
    return states.find(({ kind }) => kind !== 'live') ?? states[0] ?? { kind: 'connecting' };
  });
  /** The same, for what needs a connection. */
  readonly connection = this.state;
  readonly sort = signal<FleetSort>(sortNamed());
  readonly filter = signal(parameter('name') ?? '');
  readonly page = signal(0);
  readonly pages: number;
  readonly lines = computed((): readonly FleetLine[] => {
    const { by, descending } = this.sort.value;
    const wanted = this.filter.value.trim().toLocaleLowerCase();
    const found = this.#shown.value.filter(({ property }) => property.name.toLocaleLowerCase().includes(wanted));
    const ordered = found.sort((a, b) => compared(a, b, by));
    return descending ? ordered.reverse() : ordered;
  });
  readonly #all: readonly FleetLine[];
  readonly #shown = signal<readonly FleetLine[]>([]);
  readonly #states = signal<readonly StreamState[]>([]);
  readonly #user: SignedIn;
  readonly #lag = new LagMeter();
  readonly #moved = new Map<string, Replica>();
  /** First night that is followed. */
  #followed = '';
  #clients: LiveClient[] = [];
  readonly #stopWatching: () => void;
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(user: SignedIn, properties: readonly PropertySummary[]) {
    this.#user = user;
    this.#all = properties.map((property) => ({ property, figures: signal(undefined) }));
    this.pages = Math.max(1, Math.ceil(properties.length / MAX_LINES));
    this.showPage(0);
    document.addEventListener('visibilitychange', this.#onVisible);
    this.#stopWatching = this.#followNetwork();
  }

  get count(): number {
    return this.#all.length;
  }

  /** Whether amounts have a place: also while the role is unknown. */
  get seesAmounts(): boolean {
    return signedInRole.value === '' || mayManage(signedInRole.value);
  }

  /** First and last night of pickup and alerts, by the first property's business date. */
  get nights(): { start: string; end: string; count: number } {
    const first = this.#all[0]?.property;
    const start = first ? this.#today(first) : '';
    return { start, end: start === '' ? '' : addDays(start, NIGHTS - 1), count: NIGHTS };
  }

  /** Follows the properties of a page only. */
  showPage(page: number): void {
    for (const client of this.#clients) client.close();
    const lines = this.#all.slice(page * MAX_LINES, (page + 1) * MAX_LINES);
    this.#followed = this.nights.start;
    const parts = Math.ceil(lines.length / LIVE_LIMITS.subscriptions);
    batch(() => {
      this.page.value = page;
      this.#shown.value = lines;
      this.#states.value = Array.from({ length: parts }, () => ({ kind: 'connecting' }) as const);
    });
    this.#clients = Array.from({ length: parts }, (_, part) => {
      const client = this.#connect(part);
      const first = part * LIVE_LIMITS.subscriptions;
      for (const { property } of lines.slice(first, first + LIVE_LIMITS.subscriptions))
        client.follow({
          propertyId: property.propertyId,
          topics: ['grid', 'kpi'],
          window: { start: this.#today(property), days: NIGHTS },
        });
      return client;
    });
  }

  /** Sorts by a column; again for the other direction. */
  sortBy(by: FleetColumn): void {
    const before = this.sort.peek();
    // Largest figures first, names ascending.
    const descending = before.by === by ? !before.descending : by !== 'name';
    this.sort.value = { by, descending };
    writeParameters({ sort: by, order: descending ? 'descending' : 'ascending' }, 'replace');
  }

  filterBy(name: string): void {
    this.filter.value = name;
    writeParameters({ name }, 'replace');
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.#stopWatching();
    clearTimeout(this.#due);
    for (const client of this.#clients) client.close();
  }

  /** A tab that slept may follow the nights of another day. */
  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible' && this.nights.start !== this.#followed)
      this.showPage(this.page.peek());
  };

  /** Connections end at once without a network, and begin at once with it. */
  #followNetwork(): () => void {
    let wasCut = false;
    return effect(() => {
      const isCut = network.value.kind === 'offline';
      if (isCut) for (const client of this.#clients) client.networkLost();
      else if (wasCut) for (const client of this.#clients) client.retryNow();
      wasCut = isCut;
    });
  }

  #connect(part: number): LiveClient {
    return new LiveClient({
      connect: overWebSocket(openLive),
      token: this.#user.token,
      tenantId: this.#user.tenantId,
      listener: {
        stateChanged: (state) => (this.#states.value = this.#states.peek().with(part, state)),
        dataChanged: (replica) => {
          this.#moved.set(replica.propertyId, replica);
          this.#due ??= setTimeout(() => this.#addUp(), SETTLE_MS);
        },
        ready: (role) => (signedInRole.value = role),
        heard: (frame) => {
          if (frame.t === 'hello' || frame.t === 'heartbeat') this.#lag.heardTime(frame.serverTime);
        },
      },
      isOnline: () => navigator.onLine,
      freshToken: async () => (await sessionUser())?.token,
    });
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
    return shownBusinessDate(this.#lag.serverNow(), timezone, nightAuditHour);
  }
}

function sortNamed(): FleetSort {
  const by = FLEET_COLUMNS.find((column) => column === parameter('sort')) ?? 'name';
  return { by, descending: parameter('order') === 'descending' };
}

/** Nights with an alert; overbooked ones come first. */
const alertsOf = ({ over, full }: FleetFigures): number => over * 1_000 + full;

function compared(one: FleetLine, other: FleetLine, by: FleetColumn): number {
  const byName = one.property.name.localeCompare(other.property.name);
  if (by === 'name') return byName;
  const valueOf = ({ figures }: FleetLine): number => {
    const known = figures.value;
    if (!known) return -Infinity;
    return (by === 'alerts' ? alertsOf(known) : known[by]) ?? -Infinity;
  };
  const [a, b] = [valueOf(one), valueOf(other)];
  return a === b ? byName : a - b;
}
