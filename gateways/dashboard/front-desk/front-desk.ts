import { batch, computed, signal } from '@preact/signals';

import type { PropertyId, ReservationId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { ReplicaOutcome, Replica } from '../../../src/live/contracts/replica.ts';
import type { SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import type { PropertySummary } from '../api.ts';
import { addDays, shownBusinessDate, daysFrom } from '../grid/days.ts';
import type { ConnectionState, LiveProblem } from '../live/connection.ts';
import type { ShownStanding } from '../messages.ts';
import { LAG_SHOWN_MS, PropertyWorkspace } from '../properties/property-workspace.ts';
import { FrontDeskApi } from './api.ts';
import { Drawer } from './drawer.ts';
import { lanesOf } from './lanes.ts';
import { alarmsOf, desk as words, errorText, housekeeping, maintenances } from './messages.ts';
import { Moving } from './moving.ts';
import type { BoardStay, MaintenancePlan, MaintenanceView, RoomStatusName, TaskStep, TaskView } from './shapes.ts';
import { Stays } from './stays.ts';
import { foundStays, type ListName, listsOf } from './tasks.ts';

/** Days of the tape chart; the first is yesterday, for guests who leave today. */
export const CHART_DAYS = 14;
const DAYS_BACK = 1;
/**
 * Window of the live feed, which names a stay by its nights: back to the earliest arrival of a guest in house, and as
 * far ahead as allowed.
 */
const FEED_BACK = 100;
const FEED_DAYS = 366;

/** Journal entries of payments in progress: there is no reservation yet. */
const NOT_YET: ReadonlySet<string> = new Set(['HELD', 'RELEASED']);

/** Commands after which maintenances may be others. */
const CHANGES_MAINTENANCES: ReadonlySet<string> = new Set([
  'OPEN_MAINTENANCE',
  'CHANGE_MAINTENANCE',
  'END_MAINTENANCE',
  'SET_ROOM_STATUS',
  'PUT_ROOMS',
  'REMOVE_ROOM',
  'ALIGN_ROOMS',
  'TICK',
]);

/** Commands after which the task of a room may be another one while the state of the room is the same. */
const CHANGES_TASKS: ReadonlySet<string> = new Set([
  'CHANGE_HOUSEKEEPING_TASK',
  'START_HOUSEKEEPING_TASK',
  'COMPLETE_HOUSEKEEPING_TASK',
  'INSPECT_HOUSEKEEPING_TASK',
  'TICK',
]);

/** Rooms and stays at one moment. */
type PropertyScreen = {
  rooms: ReadonlyMap<string, RoomItem>;
  stays: ReadonlyMap<string, BoardStay>;
  maintenances: readonly MaintenanceView[];
};
const EMPTY: PropertyScreen = { rooms: new Map(), stays: new Map(), maintenances: [] };

/** State of the front desk as signals; the live connection and the reads that follow it change them. */
export class FrontDesk extends PropertyWorkspace {
  /** Status of the page: the front desk is never paused and never shows the past. */
  readonly standing = computed((): ShownStanding => this.connection.value);
  readonly screen = signal<PropertyScreen>(EMPTY);
  /** Whether there is data to show. */
  readonly loaded = signal(false);
  readonly list = signal<ListName>('arrivals');
  readonly query = signal('');
  readonly days = computed(() => (this.start.value === '' ? [] : daysFrom(this.start.value, CHART_DAYS)));
  readonly lists = computed(() => listsOf(this.screen.value.stays.values(), this.today.value));
  readonly found = computed(() => foundStays(this.screen.value.stays.values(), this.query.value));
  readonly groups = computed(() => {
    const { rooms, stays, maintenances } = this.screen.value;
    const days = this.days.value.map(({ date }) => date);
    const shown = { rooms: rooms.values(), stays: stays.values(), maintenances, days };
    return lanesOf({ ...shown, today: this.today.value, inspectsRooms: this.inspectsRooms });
  });
  /** Open task of the room whose panel is open. */
  readonly roomTask = signal<TaskView | undefined>(undefined);
  /** Counts changes of tasks. */
  readonly taskChanges = signal(0);
  /** Problems to solve: oversold nights, and stays that cannot be where they are booked. */
  readonly alarms = computed(() => alarmsOf(this.groups.value, this.days.value));
  readonly drawer: Drawer;
  readonly moving: Moving;
  #api: FrontDeskApi | undefined;
  #stays: Stays | undefined;
  #replica: Replica | undefined;
  #maintenances: readonly MaintenanceView[] = [];
  #lagShownAt = 0;

  constructor(config: PageConfig, user: SignedIn) {
    super(config, user);
    this.drawer = new Drawer(this);
    this.moving = new Moving(this);
    this.open();
  }

  /** Whether the role may act; a VIEWER only reads. */
  get mayAct(): boolean {
    return this.role.value !== '' && this.role.value !== 'VIEWER';
  }

  /** Whether the role may send a guest to another hotel. */
  get mayWalk(): boolean {
    return this.mayAct && this.role.value !== 'STAFF';
  }

  /** @throws Error before a property is chosen */
  get api(): FrontDeskApi {
    if (!this.#api) throw new Error('no property is chosen');
    return this.#api;
  }

  choose(propertyId: PropertyId): void {
    const property = this.chosen(propertyId);
    if (!property) return;
    this.#stays?.close();
    const api = new FrontDeskApi(this.config, () => this.user, propertyId);
    this.#api = api;
    this.#replica = undefined;
    this.#maintenances = [];
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

  /** Reads a reservation at once after an own change, before the feed names it. */
  refresh(reservationId: ReservationId): void {
    this.#stays?.changed([reservationId]);
  }

  /** Searches a confirmation number beyond the shown days. */
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

  async openMaintenance(plan: MaintenancePlan): Promise<void> {
    const { oversold } = await this.api.openMaintenance(plan);
    const [first] = oversold;
    this.say(
      first ? maintenances.short(first.roomType, oversold.length, first.date) : maintenances.planned(plan.roomNumber),
    );
  }

  async endMaintenance({ maintenanceId, roomNumber }: MaintenanceView): Promise<void> {
    await this.api.endMaintenance(maintenanceId);
    this.say(maintenances.ended(roomNumber));
  }

  /** Whether a room has to be inspected before it is ready. */
  get inspectsRooms(): boolean {
    return this.property.value?.inspectsRooms ?? false;
  }

  /** Reads the open task of a room for its panel. */
  async readTask(roomNumber: string): Promise<void> {
    const { api } = this;
    const task = await api.roomTask(roomNumber).catch(() => undefined);
    if (api === this.#api) this.roomTask.value = task;
  }

  async stepTask({ taskId, roomNumber }: TaskView, step: TaskStep): Promise<void> {
    const { roomStatus } = await this.api.stepTask(taskId, step);
    if (step === 'start') this.say(housekeeping.started(roomNumber));
    else if (roomStatus !== null) this.say(words.roomSet(roomNumber, roomStatus));
  }

  async giveTask({ taskId, roomNumber }: TaskView, attendant: string | null): Promise<void> {
    await this.api.giveTask(taskId, attendant);
    this.say(housekeeping.given(roomNumber, attendant));
  }

  override close(): void {
    super.close();
    this.#stays?.close();
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

  problem({ code, detail, retryable }: LiveProblem): void {
    if (code === 'UNAUTHENTICATED') this.notice.value = access.expired;
    else if (!retryable) this.notice.value = detail;
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    this.#replica = replica;
    this.followDay();
    if (outcome.kind !== 'applied') {
      void this.#readMaintenances();
      return this.#load();
    }
    if (CHANGES_MAINTENANCES.has(outcome.cause)) void this.#readMaintenances();
    if (CHANGES_TASKS.has(outcome.cause)) this.taskChanges.value += 1;
    const named = outcome.patches.flatMap((patch) =>
      patch.topic === 'feed' && !NOT_YET.has(patch.type) ? [patch.reservationId] : [],
    );
    if (named.length > 0) this.#stays?.changed(named);
    else if (this.#stays?.isWhole) this.#publish();
  }

  #load(): void {
    const today = this.today.value;
    const start = this.start.value;
    if (start !== '') void this.#stays?.load({ today, start, end: addDays(start, CHART_DAYS - 1) });
  }

  #publish(): void {
    const replica = this.#replica;
    const stays = this.#stays;
    if (!replica || !stays) return;
    batch(() => {
      const maintenances = this.#maintenances;
      this.screen.value = { rooms: new Map(replica.rooms), stays: new Map(stays.all), maintenances };
      this.loaded.value = true;
      this.drawer.followed();
    });
  }

  async #readMaintenances(): Promise<void> {
    const { api } = this;
    try {
      const read = await api.maintenances();
      if (api !== this.#api) return;
      this.#maintenances = read;
      if (this.#stays?.isWhole) this.#publish();
    } catch (error) {
      if (api === this.#api) this.notice.value = errorText(error);
    }
  }

  #watch(): void {
    const property = this.property.value;
    if (!property) return;
    const first = this.start.value < this.today.value ? this.start.value : this.today.value;
    const window = { start: addDays(first, -FEED_BACK), days: FEED_DAYS };
    this.client.watch({ propertyId: property.propertyId, topics: ['rooms', 'feed'], window });
  }

  async #nameTypes(api: FrontDeskApi): Promise<void> {
    const types = await api.roomTypes().catch(() => []);
    if (api === this.#api) this.names.value = new Map(types.map(({ roomType, name }) => [roomType, name]));
  }

  protected followDay(): void {
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
    return shownBusinessDate(this.client.lag.serverNow(), timezone, nightAuditHour);
  }
}
