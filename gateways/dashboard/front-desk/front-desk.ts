import { batch, computed, signal } from '@preact/signals';

import type { ReplicaOutcome, Replica } from '../../../packages/client/src/live/replica.ts';
import type { PropertyId, ReservationId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { addDays, daysFrom } from '../grid/days.ts';
import { notOfInterest } from '../live/notices.ts';
import type { ShownStanding } from '../messages.ts';
import { PropertyWorkspace } from '../properties/property-workspace.ts';
import { FrontDeskApi } from './api.ts';
import { BookingHost } from './booking/host.ts';
import { showDeskAddress, writeDeskAddress } from './desk-address.ts';
import { Drawer } from './drawer.ts';
import { type LaneGroup, lanesOf } from './lanes.ts';
import { alarmsOf, desk as words, housekeeping, maintenances } from './messages.ts';
import { Moving } from './moving.ts';
import { errorText } from './problem-messages.ts';
import { StaySearch } from './search/stay-search.ts';
import type {
  BoardStay,
  MaintenancePlan,
  MaintenanceView,
  ReservationView,
  RoomStatusName,
  TaskStep,
  TaskView,
} from './shapes.ts';
import { ChartView } from './shown/chart-view.ts';
import { stableLanes } from './shown/stable-lanes.ts';
import { Stays } from './stays.ts';
import { type ListName, listsOf } from './tasks.ts';

/**
 * Window of the live feed, which names a stay by its nights: back to the earliest arrival of a guest in house, and as
 * far ahead as allowed. It always has today.
 */
const FEED_BACK = 100;
const FEED_DAYS = 366;
/** Days beyond the feed are read again so often. */
const REREAD_MS = 30_000;

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

/** Commands after which rooms may be on other floors. */
const CHANGES_ROOMS: ReadonlySet<string> = new Set(['PUT_ROOMS', 'REMOVE_ROOM']);

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
  readonly chart: ChartView;
  readonly days = computed(() => (this.start.value === '' ? [] : daysFrom(this.start.value, this.chart.span.value)));
  readonly lists = computed(() => listsOf(this.screen.value.stays.values(), this.today.value));
  readonly groups = computed(() => {
    const { rooms, stays, maintenances } = this.screen.value;
    const days = this.days.value.map(({ date }) => date);
    const shown = { rooms: rooms.values(), stays: stays.values(), maintenances, days };
    const now = lanesOf({ ...shown, today: this.today.value, inspectsRooms: this.inspectsRooms });
    this.#lanes = stableLanes(this.#lanes, now);
    return this.#lanes;
  });
  /** Open task of the room whose panel is open. */
  readonly roomTask = signal<TaskView | undefined>(undefined);
  /** Counts changes of notes. */
  readonly noteChanges = signal(0);
  /** Counts changes of tasks. */
  readonly taskChanges = signal(0);
  /** Problems to solve: oversold nights, and stays that cannot be where they are booked. */
  readonly alarms = computed(() => alarmsOf(this.groups.value, this.days.value));
  readonly drawer: Drawer;
  readonly moving: Moving;
  /** New reservations and walk-ins. */
  readonly booking: BookingHost;
  readonly search: StaySearch;
  #readAt = 0;
  #lanes: readonly LaneGroup[] = [];
  #api: FrontDeskApi | undefined;
  #stays: Stays | undefined;
  #replica: Replica | undefined;
  #maintenances: readonly MaintenanceView[] = [];

  constructor(config: PageConfig, user: SignedIn) {
    super(config, user);
    this.chart = new ChartView(this);
    this.drawer = new Drawer(this);
    this.moving = new Moving(this);
    this.booking = new BookingHost(this);
    this.search = new StaySearch(this);
    this.open();
  }

  /** Whether the role may do what a manager may. */
  get mayManage(): boolean {
    return this.mayAct && this.role.value !== 'STAFF';
  }

  /** Whether the role may send a guest to another hotel. */
  get mayWalk(): boolean {
    return this.mayManage;
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
      this.chart.floors.value = new Map();
      this.search.clear();
      this.today.value = this.businessDateOf(property);
      this.chart.reset();
    });
    this.#watch();
    void this.#nameTypes(api);
    void this.#readFloors();
  }

  /** Follows the shown days, which are others than before. */
  followDays(): void {
    this.#watch();
    this.#load();
  }

  say(text: string): void {
    this.announcement.value = text;
  }

  /** Reads reservations at once after an own change, before the feed names them. */
  refresh(...reservationIds: readonly ReservationId[]): void {
    notOfInterest(reservationIds);
    this.#stays?.changed(reservationIds);
  }

  /** Takes a reservation that was read for another reason. */
  put(reservation: ReservationView): void {
    this.#stays?.put(reservation);
    this.#publish();
  }

  async setRoomStatus(roomNumber: string, status: RoomStatusName): Promise<void> {
    await this.api.setRoomStatus(roomNumber, status);
    this.say(words.roomSet(roomNumber, status));
  }

  /** Plans a maintenance, or changes one that is not over. */
  async planMaintenance(plan: MaintenancePlan, maintenanceId?: string): Promise<void> {
    const { oversold } = await this.api.planMaintenance(plan, maintenanceId);
    const [first] = oversold;
    const text =
      maintenanceId === undefined ? maintenances.planned(plan.roomNumber) : maintenances.changed(plan.roomNumber);
    this.say(first ? `${text} ${maintenances.short(first.roomType, oversold.length, first.date)}` : text);
    // What falls short needs somebody, and an announcement is over when the panel has closed.
    if (first) this.notice.value = maintenances.short(first.roomType, oversold.length, first.date);
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
    this.booking.leave();
    this.search.clear();
    this.#stays?.close();
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    this.#replica = replica;
    this.followDay();
    if (outcome.kind !== 'applied') {
      void this.#readMaintenances();
      return this.#load();
    }
    if (CHANGES_ROOMS.has(outcome.cause)) void this.#readFloors();
    if (CHANGES_MAINTENANCES.has(outcome.cause)) void this.#readMaintenances();
    if (CHANGES_TASKS.has(outcome.cause)) this.taskChanges.value += 1;
    if (outcome.cause === 'RECORD_NOTE' || outcome.cause === 'RECORD_MAIL') this.noteChanges.value += 1;
    const named = outcome.patches.flatMap((patch) =>
      patch.topic === 'feed' && !NOT_YET.has(patch.type) ? [patch.reservationId] : [],
    );
    if (named.length > 0) this.#stays?.changed(named);
    else if (this.#stays?.isWhole) this.#publish();
  }

  protected override cameBack(): void {
    void this.#readFloors();
    if (this.names.peek().size === 0) void this.#nameTypes(this.api);
    void this.drawer.cameBack();
    if (this.search.error.peek() !== undefined) void this.search.now();
  }

  #load(): void {
    const today = this.today.value;
    const start = this.start.value;
    this.#readAt = Date.now();
    if (start !== '') void this.#stays?.load({ today, start, end: addDays(start, this.chart.span.value - 1) });
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
    const window = { start: this.#feedStart(), days: FEED_DAYS };
    this.client.watch({ propertyId: property.propertyId, topics: ['rooms', 'feed'], window });
  }

  /** The feed follows the shown days as far as it can have today too. */
  #feedStart(): string {
    const earliest = addDays(this.today.value, 1 - FEED_DAYS);
    const first = addDays(this.start.value < this.today.value ? this.start.value : this.today.value, -FEED_BACK);
    return first < earliest ? earliest : first;
  }

  /** Whether the feed names the changes of all shown days. */
  #isFollowed(): boolean {
    const from = this.#feedStart();
    const last = addDays(this.start.value, this.chart.span.value);
    return this.start.value >= from && last <= addDays(from, FEED_DAYS);
  }

  async #readFloors(): Promise<void> {
    const { api } = this;
    const rooms = await api.rooms().catch(() => []);
    if (api === this.#api)
      this.chart.floors.value = new Map(rooms.map(({ roomNumber, floor }) => [roomNumber, floor]));
  }

  async #nameTypes(api: FrontDeskApi): Promise<void> {
    const types = await api.roomTypes().catch(() => []);
    if (api === this.#api) this.names.value = new Map(types.map(({ roomType, name }) => [roomType, name]));
  }

  protected override showAddressed(): void {
    showDeskAddress(this);
  }

  protected override writeAddress(): () => void {
    return writeDeskAddress(this);
  }

  protected followDay(): void {
    const property = this.property.value;
    if (!property) return;
    const today = this.businessDateOf(property);
    if (today === this.today.value) {
      if (this.loaded.value && !this.#isFollowed() && Date.now() - this.#readAt > REREAD_MS) this.#load();
      return;
    }
    const followed = this.chart.isHome;
    this.today.value = today;
    if (followed) this.chart.page(0);
    else this.#load();
  }
}
