import { batch, type Signal, signal } from '@preact/signals';
import type { CompetitorItem, FeedItem, GridItem, KpiItem, Patch } from '../../src/contracts/live.ts';
import { cellKey, type Outcome, type Replica } from '../../src/contracts/replica.ts';
import type { PageConfig } from '../../src/contracts/page-config.ts';
import { listProperties, type PropertySummary, roomTypeNames } from './api.ts';
import { type ConnectionListener, type ConnectionState, LiveClient, type Problem } from './connection.ts';
import { addDays, businessDate } from './days.ts';
import type { Mode } from './cell-face.ts';
import { sessionUser, type SignedIn } from './identity.ts';
import { Revenue } from './revenue.ts';
import { mayManage } from './roles.ts';

/** Nights in the grid. */
export const NIGHTS = 90;

/** A cell as it is shown; `changes` counts those that came live, each of which is highlighted. */
export type ShownCell = { item: GridItem | undefined; changes: number };

const EMPTY: ShownCell = { item: undefined, changes: 0 };
const PROPERTY_KEY = 'innkeeper.property';
/** The lag is shown anew this often at most: digits that flicker cannot be read. */
const LAG_SHOWN_MS = 1_000;
const DAY_ROLL_CHECK_MS = 30_000;

/** Everything one signed-in user looks at, as signals: components show it, the live connection changes it. */
export class Desk implements ConnectionListener {
  readonly user: SignedIn;
  readonly connection = signal<ConnectionState>({ kind: 'connecting' });
  /** When what is shown was last known to be true; `undefined` before the first data. */
  readonly dataFrom = signal<number | undefined>(undefined);
  readonly role = signal('');
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  readonly today = signal('');
  /** First night of the grid. */
  readonly start = signal('');
  readonly roomTypes = signal<readonly string[]>([]);
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  readonly currency = signal('');
  readonly feed = signal<readonly FeedItem[]>([]);
  /** Key of the cell that the line below the table tells about. */
  readonly inspected = signal<string | undefined>(undefined);
  /** Key of the cell that the night's panel tells about. */
  readonly selected = signal<string | undefined>(undefined);
  /** What the cells show. */
  readonly mode = signal<Mode>('occupancy');
  /** Said once to whoever listens to the page rather than looks at it. */
  readonly announcement = signal('');
  readonly revenue: Revenue;
  /** Something the user should know and can do something about. */
  readonly notice = signal<string | undefined>(undefined);
  readonly #config: PageConfig;
  readonly #cells = new Map<string, Signal<ShownCell>>();
  readonly #nights = new Map<string, Signal<KpiItem | undefined>>();
  readonly #markets = new Map<string, Signal<CompetitorItem | undefined>>();
  readonly #client: LiveClient;
  readonly #clock: ReturnType<typeof setInterval>;
  #lagShownAt = 0;
  #lagDue: ReturnType<typeof setTimeout> | undefined;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.user = user;
    this.#client = new LiveClient({
      url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/v1`,
      token: user.token,
      tenantId: user.tenantId,
      listener: this,
      isOnline: () => navigator.onLine,
      freshToken: async () => (await sessionUser())?.token,
    });
    this.revenue = new Revenue({ config, user }, () => this.serverNow());
    addEventListener('online', this.#onOnline);
    addEventListener('offline', this.#onOffline);
    this.#clock = setInterval(() => this.#followDay(), DAY_ROLL_CHECK_MS);
    void this.#load();
  }

  cell(key: string): Signal<ShownCell> {
    return remembered(this.#cells, key, () => signal(EMPTY));
  }

  night(date: string): Signal<KpiItem | undefined> {
    return remembered(this.#nights, date, () => signal(undefined));
  }

  /** What competitors ask for a cell. */
  market(key: string): Signal<CompetitorItem | undefined> {
    return remembered(this.#markets, key, () => signal(undefined));
  }

  /** The server's time: the clock of a browser may be wrong. */
  serverNow(): number {
    return this.#client.lag.serverNow();
  }

  /** Whether amounts of revenue are for this user. */
  get seesAmounts(): boolean {
    return mayManage(this.role.value);
  }

  choose(propertyId: string): void {
    const property = this.properties.value.find((one) => one.propertyId === propertyId);
    if (!property) return;
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    batch(() => {
      this.property.value = property;
      this.roomTypes.value = [];
      this.names.value = new Map();
      this.feed.value = [];
      this.today.value = this.#businessDate(property);
      this.show(this.today.value);
    });
    void this.#loadNames(property);
  }

  /** Shows the nights from a date on. */
  show(start: string): void {
    const property = this.property.value;
    if (!property) return;
    batch(() => {
      this.start.value = start;
      this.inspected.value = undefined;
      this.selected.value = undefined;
      this.#forgetCells();
    });
    const topics = ['grid' as const, 'feed' as const, 'kpi' as const, 'competitors' as const];
    this.#client.watch({ propertyId: property.propertyId, topics, window: { start, days: NIGHTS } });
    this.#lookAtRevenue();
  }

  /** Moves the window by whole screens of nights, never to before today. */
  page(by: number): void {
    const start = addDays(this.start.value, by * NIGHTS);
    this.show(start < this.today.value ? this.today.value : start);
  }

  close(): void {
    this.#client.close();
    this.revenue.close();
    clearInterval(this.#clock);
    clearTimeout(this.#lagDue);
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
  }

  stateChanged(state: ConnectionState): void {
    clearTimeout(this.#lagDue);
    const before = this.connection.value;
    if (state.kind === 'live') {
      const now = Date.now();
      this.dataFrom.value = now;
      const early = before.kind === 'live' && before.lagMs !== undefined ? this.#lagShownAt + LAG_SHOWN_MS - now : 0;
      if (early > 0) {
        this.#lagDue = setTimeout(() => this.stateChanged(state), early);
        return;
      }
      this.#lagShownAt = now;
    }
    this.connection.value = state;
  }

  ready(role: string): void {
    const isNew = role !== this.role.value;
    this.role.value = role;
    this.notice.value = undefined;
    if (isNew) this.#lookAtRevenue();
  }

  problem({ code, detail, retryable }: Problem): void {
    if (code === 'UNAUTHENTICATED') this.notice.value = 'Your sign-in has expired.';
    else if (!retryable) this.notice.value = detail;
  }

  dataChanged(replica: Replica, outcome: Outcome): void {
    batch(() => {
      if (outcome.kind === 'applied') for (const patch of outcome.patches) this.#apply(patch);
      else this.#replace(replica);
      if (replica.feed === this.feed.value) return;
      this.feed.value = replica.feed;
      this.revenue.bookingsMoved();
    });
  }

  #apply(patch: Patch): void {
    if (patch.topic === 'kpi') this.night(patch.date).value = patch;
    if (patch.topic === 'competitors') this.market(cellKey(patch)).value = patch;
    if (patch.topic !== 'grid') return;
    const cell = this.cell(cellKey(patch));
    cell.value = { item: patch, changes: cell.peek().changes + 1 };
    if (!this.roomTypes.value.includes(patch.roomType))
      this.roomTypes.value = [...this.roomTypes.value, patch.roomType];
  }

  #replace(replica: Replica): void {
    this.#forgetCells();
    for (const [key, item] of replica.grid) this.cell(key).value = { item, changes: 0 };
    for (const [date, item] of replica.kpi) this.night(date).value = item;
    for (const [key, item] of replica.competitors) this.market(key).value = item;
    const items = [...replica.grid.values()];
    this.roomTypes.value = [...new Set(items.map((item) => item.roomType))];
    this.currency.value = items[0]?.currency ?? '';
    if (items[0]) this.selected.value ??= cellKey({ date: this.start.value, roomType: items[0].roomType });
    this.#followDay();
  }

  #forgetCells(): void {
    for (const cell of this.#cells.values()) cell.value = EMPTY;
    for (const night of this.#nights.values()) night.value = undefined;
    for (const market of this.#markets.values()) market.value = undefined;
  }

  #lookAtRevenue(): void {
    const [property, today, start] = [this.property.value, this.today.value, this.start.value];
    if (!property || start === '' || this.role.value === '') return;
    this.revenue.look({ property, today, start, nights: NIGHTS, seesAmounts: this.seesAmounts });
  }

  async #load(): Promise<void> {
    try {
      const properties = await listProperties(this.#config, this.user);
      this.properties.value = properties;
      const last = sessionStorage.getItem(PROPERTY_KEY);
      const first = properties.find(({ propertyId }) => propertyId === last) ?? properties[0];
      if (first) this.choose(first.propertyId);
      else this.notice.value = 'There are no properties in this tenant yet.';
    } catch (error) {
      this.notice.value = error instanceof Error ? error.message : 'The properties could not be listed.';
    }
  }

  async #loadNames(property: PropertySummary): Promise<void> {
    const names = await roomTypeNames(this.#config, this.user, property.propertyId);
    if (this.property.value === property) this.names.value = names;
  }

  /** At the roll of the business date a grid that showed today shows the new one. */
  #followDay(): void {
    const property = this.property.value;
    if (!property) return;
    const today = this.#businessDate(property);
    if (today === this.today.value) return;
    const followed = this.start.value === this.today.value;
    this.today.value = today;
    if (followed || this.start.value < today) this.show(today);
  }

  #businessDate({ timezone, nightAuditHour }: PropertySummary): string {
    return businessDate(this.#client.lag.serverNow(), timezone, nightAuditHour);
  }

  readonly #onOnline = (): void => this.#client.retryNow();
  readonly #onOffline = (): void => this.#client.networkLost();
}

function remembered<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key);
  if (!found) map.set(key, (found = make()));
  return found;
}
