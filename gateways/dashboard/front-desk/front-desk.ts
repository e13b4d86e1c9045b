import { batch, computed, signal } from '@preact/signals';

import type { PropertyId, ReservationId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { ReplicaOutcome, Replica } from '../../../src/live/contracts/replica.ts';
import { sessionUser, type SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { fetchProperties, type PropertySummary } from '../api.ts';
import { addDays, shownBusinessDate, daysFrom } from '../grid/days.ts';
import {
  type LiveConnectionListener,
  type ConnectionState,
  DashboardConnection,
  type LiveProblem,
} from '../live/connection.ts';
import type { ShownStanding } from '../messages.ts';
import { FrontDeskApi } from './api.ts';
import { Drawer } from './drawer.ts';
import { lanesOf } from './lanes.ts';
import { alarmsOf, desk as words, errorText } from './messages.ts';
import { Moving } from './moving.ts';
import type { RoomStatusName, BoardStay } from './shapes.ts';
import { Stays } from './stays.ts';
import { foundStays, type ListName, listsOf } from './tasks.ts';

/** Days of the tape chart; the first is yesterday, for the guests who leave today. */
export const CHART_DAYS = 14;
const DAYS_BACK = 1;
const PROPERTY_KEY = 'innkeeper.property';
const DAY_ROLL_CHECK_MS = 30_000;
const LAG_SHOWN_MS = 1_000;
/** The live feed names a stay by its nights: back as far as a guest may be here, and on to the end of what it allows. */
const FEED_BACK = 100;
const FEED_DAYS = 366;

/** While somebody pays there is no reservation yet, and there may never be one. */
const NOT_YET: ReadonlySet<string> = new Set(['HELD', 'RELEASED']);

/** Rooms and stays of one moment. */
type PropertyScreen = { rooms: ReadonlyMap<string, RoomItem>; stays: ReadonlyMap<string, BoardStay> };
const EMPTY: PropertyScreen = { rooms: new Map(), stays: new Map() };

/** Everything that the front desk looks at, as signals; the live connection and the reads that follow it change it. */
export class FrontDesk implements LiveConnectionListener {
  readonly connection = signal<ConnectionState>({ kind: 'connecting' });
  /** What the page says of itself: the desk is never held back, and never looks at the past. */
  readonly standing = computed((): ShownStanding => this.connection.value);
  readonly dataFrom = signal<number | undefined>(undefined);
  readonly role = signal('');
  readonly properties = signal<readonly PropertySummary[]>([]);
  readonly property = signal<PropertySummary | undefined>(undefined);
  readonly today = signal('');
  readonly start = signal('');
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  readonly screen = signal<PropertyScreen>(EMPTY);
  /** Whether there is something to show yet. */
  readonly loaded = signal(false);
  readonly announcement = signal('');
  readonly notice = signal<string | undefined>(undefined);
  readonly list = signal<ListName>('arrivals');
  readonly query = signal('');
  readonly days = computed(() => (this.start.value === '' ? [] : daysFrom(this.start.value, CHART_DAYS)));
  readonly lists = computed(() => listsOf(this.screen.value.stays.values(), this.today.value));
  readonly found = computed(() => foundStays(this.screen.value.stays.values(), this.query.value));
  readonly groups = computed(() => {
    const { rooms, stays } = this.screen.value;
    const days = this.days.value.map(({ date }) => date);
    return lanesOf({ rooms: rooms.values(), stays: stays.values(), today: this.today.value, days });
  });
  /** What cannot stay as it is: nights that are oversold, and stays that cannot be where they are booked to be. */
  readonly alarms = computed(() => alarmsOf(this.groups.value, this.days.value));
  readonly drawer: Drawer;
  readonly moving: Moving;
  readonly #config: PageConfig;
  readonly #client: DashboardConnection;
  readonly #clock: ReturnType<typeof setInterval>;
  #user: SignedIn;
  #api: FrontDeskApi | undefined;
  #stays: Stays | undefined;
  #replica: Replica | undefined;
  #lagShownAt = 0;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.#user = user;
    this.#client = new DashboardConnection({
      url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/v1`,
      token: user.token,
      tenantId: user.tenantId,
      listener: this,
      isOnline: () => navigator.onLine,
      freshToken: () => this.#freshToken(),
    });
    this.drawer = new Drawer(this);
    this.moving = new Moving(this);
    addEventListener('online', this.#onOnline);
    addEventListener('offline', this.#onOffline);
    this.#clock = setInterval(() => this.#followDay(), DAY_ROLL_CHECK_MS);
    void this.#list();
  }

  get user(): SignedIn {
    return this.#user;
  }

  /** Whether the role acts at the desk; a VIEWER only looks. */
  get mayAct(): boolean {
    return this.role.value !== '' && this.role.value !== 'VIEWER';
  }

  /** @throws Error before a property is chosen */
  get api(): FrontDeskApi {
    if (!this.#api) throw new Error('no property is chosen');
    return this.#api;
  }

  choose(propertyId: PropertyId): void {
    const property = this.properties.value.find((one) => one.propertyId === propertyId);
    if (!property) return;
    sessionStorage.setItem(PROPERTY_KEY, propertyId);
    this.#stays?.close();
    const api = new FrontDeskApi(this.#config, () => this.#user, propertyId);
    this.#api = api;
    this.#replica = undefined;
    this.#stays = new Stays(
      api,
      () => this.#publish(),
      (error) => (this.notice.value = errorText(error)),
    );
    batch(() => {
      this.drawer.close();
      this.moving.putBack();
      this.property.value = property;
      this.screen.value = EMPTY;
      this.loaded.value = false;
      this.notice.value = undefined;
      this.names.value = new Map();
      this.today.value = this.#businessDate(property);
      this.start.value = addDays(this.today.value, -DAYS_BACK);
    });
    this.#watch();
    void this.#nameTypes(api);
  }

  /** Moves the chart by days; `0` brings it back to today. */
  page(days: number): void {
    const start = days === 0 ? addDays(this.today.value, -DAYS_BACK) : addDays(this.start.value, days);
    this.start.value = start;
    this.#watch();
    this.#load();
  }

  say(text: string): void {
    this.announcement.value = text;
  }

  /** What somebody has just changed is read at once, and not when the feed says so. */
  refresh(reservationId: ReservationId): void {
    this.#stays?.changed([reservationId]);
  }

  /** Looks beyond the days that are shown for a confirmation number. */
  async search(): Promise<void> {
    const number = this.query.value.trim().toUpperCase();
    if (this.found.value.length > 0 || !/^[0-9A-Z]{10}$/.test(number)) return;
    const items = await this.api.list({ confirmationNumber: number }).catch(() => []);
    for (const reservation of items) this.#stays?.put(reservation);
    this.#publish();
  }

  async setRoomStatus(roomNumber: string, status: RoomStatusName): Promise<void> {
    await this.api.setRoomStatus(roomNumber, status);
    this.say(words.roomSet(roomNumber, status));
  }

  close(): void {
    this.#client.close();
    this.#stays?.close();
    clearInterval(this.#clock);
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
  }

  stateChanged(state: ConnectionState): void {
    if (state.kind === 'live') {
      const now = Date.now();
      this.dataFrom.value = now;
      if (this.connection.peek().kind === 'live' && now - this.#lagShownAt < LAG_SHOWN_MS) return;
      this.#lagShownAt = now;
    }
    this.connection.value = state;
  }

  ready(role: string): void {
    this.role.value = role;
    this.notice.value = undefined;
  }

  problem({ code, detail, retryable }: LiveProblem): void {
    if (code === 'UNAUTHENTICATED') this.notice.value = access.expired;
    else if (!retryable) this.notice.value = detail;
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    this.#replica = replica;
    this.#followDay();
    if (outcome.kind !== 'applied') return this.#load();
    const named = outcome.patches.flatMap((patch) =>
      patch.topic === 'feed' && !NOT_YET.has(patch.type) ? [patch.reservationId] : [],
    );
    if (named.length > 0) this.#stays?.changed(named);
    else if (this.#stays?.isWhole) this.#publish();
  }

  #load(): void {
    const [today, start] = [this.today.value, this.start.value];
    if (start !== '') void this.#stays?.load({ today, start, end: addDays(start, CHART_DAYS - 1) });
  }

  #publish(): void {
    const [replica, stays] = [this.#replica, this.#stays];
    if (!replica || !stays) return;
    batch(() => {
      this.screen.value = { rooms: new Map(replica.rooms), stays: new Map(stays.all) };
      this.loaded.value = true;
      this.drawer.followed();
    });
  }

  #watch(): void {
    const property = this.property.value;
    if (!property) return;
    const first = this.start.value < this.today.value ? this.start.value : this.today.value;
    const window = { start: addDays(first, -FEED_BACK), days: FEED_DAYS };
    this.#client.watch({ propertyId: property.propertyId, topics: ['rooms', 'feed'], window });
  }

  async #list(): Promise<void> {
    try {
      const properties = await fetchProperties(this.#config, this.#user);
      this.properties.value = properties;
      const last = sessionStorage.getItem(PROPERTY_KEY);
      const first = properties.find(({ propertyId }) => propertyId === last) ?? properties[0];
      if (first) this.choose(first.propertyId);
      else this.notice.value = access.noProperties;
    } catch (error) {
      this.notice.value = errorText(error);
    }
  }

  async #nameTypes(api: FrontDeskApi): Promise<void> {
    const types = await api.roomTypes().catch(() => []);
    if (api === this.#api) this.names.value = new Map(types.map(({ roomType, name }) => [roomType, name]));
  }

  async #freshToken(): Promise<string | undefined> {
    const user = await sessionUser();
    if (user) this.#user = user;
    return user?.token;
  }

  #followDay(): void {
    const property = this.property.value;
    if (!property) return;
    const today = this.#businessDate(property);
    if (today === this.today.value) return;
    const followed = this.start.value === addDays(this.today.value, -DAYS_BACK);
    this.today.value = today;
    if (followed) this.page(0);
    else this.#load();
  }

  #businessDate({ timezone, nightAuditHour }: PropertySummary): string {
    return shownBusinessDate(this.#client.lag.serverNow(), timezone, nightAuditHour);
  }

  readonly #onOnline = (): void => this.#client.retryNow();
  readonly #onOffline = (): void => this.#client.networkLost();
}
