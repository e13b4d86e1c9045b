import { batch, computed, effect, signal } from '@preact/signals';

import type { Replica, ReplicaOutcome } from '../../../packages/client/src/live/replica.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { noServiceReason } from '../access/messages.ts';
import { parameter, writeParameters } from '../address.ts';
import { FrontDeskApi } from '../front-desk/api.ts';
import { errorText } from '../front-desk/problem-messages.ts';
import type { RoomStatusName, TaskView } from '../front-desk/shapes.ts';
import { addDays } from '../grid/days.ts';
import type { ShownStanding } from '../messages.ts';
import { PropertyWorkspace } from '../properties/property-workspace.ts';
import { type BoardFilter, type BoardRoom, boardOf, filteredBoard, stateBefore, STATES, type Verb } from './board.ts';
import { housekeepingBoard as words } from './messages.ts';

/** Days ahead of which arrivals are shown. */
const ARRIVAL_DAYS = 7;
/** Longest time that a change waits for others read together with it. */
const TOGETHER_MS = 1_000;
/** How long a tap can be taken back. */
const UNDO_MS = 10_000;

/** The last tap: what it did, and the state that takes it back. */
type LastTap = { roomNumber: string; text: string; before?: RoomStatusName };

/** State of the housekeeping board as signals: rooms from the live feed, tasks and arrivals read when they change. */
export class Housekeeping extends PropertyWorkspace {
  readonly standing = computed((): ShownStanding => this.connection.value);
  readonly filter = signal<BoardFilter>({});
  readonly loaded = signal(false);
  readonly last = signal<LastTap | undefined>(undefined);
  /** Rooms of which a tap is under way: a second one would do it twice. */
  readonly busy = signal<ReadonlySet<string>>(new Set());
  readonly errors = signal<ReadonlyMap<string, string>>(new Map());
  readonly #rooms = signal<ReadonlyMap<string, RoomItem>>(new Map());
  readonly #floors = signal<ReadonlyMap<string, number>>(new Map());
  readonly #tasks = signal<readonly TaskView[]>([]);
  readonly #arrivals = signal<ReadonlyMap<string, string>>(new Map());
  readonly board = computed(() =>
    boardOf({
      rooms: this.#rooms.value.values(),
      floors: this.#floors.value,
      tasks: this.#tasks.value,
      arrivals: this.#arrivals.value,
      today: this.today.value,
    }),
  );
  readonly shown = computed(() => filteredBoard(this.board.value, this.filter.value));
  readonly attendants = computed(() =>
    [...new Set(this.#tasks.value.flatMap(({ attendant }) => attendant ?? []))].sort((a, b) => a.localeCompare(b)),
  );
  #api: FrontDeskApi | undefined;
  #together: ReturnType<typeof setTimeout> | undefined;
  #undo: ReturnType<typeof setTimeout> | undefined;
  /** The last change: the room is shown in its new state before it is answered, and "Undo" may be pressed by then. */
  #underWay: Promise<void> = Promise.resolve();

  constructor(config: PageConfig, user: SignedIn) {
    super(config, user);
    this.open();
  }

  choose(propertyId: PropertyId): void {
    const property = this.chosen(propertyId);
    if (!property) return;
    this.#api = new FrontDeskApi(this.config, () => this.user, propertyId);
    batch(() => {
      this.property.value = property;
      this.loaded.value = false;
      this.last.value = undefined;
      this.errors.value = new Map();
      this.#rooms.value = new Map();
      this.#tasks.value = [];
      this.today.value = this.businessDateOf(property);
    });
    this.#watch();
    void this.#readFloors();
    this.#readSoon();
  }

  /** Narrows the board; members that are undefined do not. */
  narrow(filter: BoardFilter): void {
    const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as BoardFilter;
    this.filter.value = set;
  }

  /** Does it at once; it can be taken back for ten seconds. */
  async tap(one: BoardRoom, verb: Verb): Promise<void> {
    const { roomNumber } = one.room;
    const before = stateBefore(one);
    await this.#act(roomNumber, async (api) => {
      await carryOut(api, one, verb);
      this.#tapped({ roomNumber, text: words.done(roomNumber, verb), ...(before && { before }) });
    });
  }

  async undo(): Promise<void> {
    await this.#underWay;
    const last = this.last.peek();
    if (last?.before === undefined || noServiceReason(this.connection.peek()) !== undefined) return;
    const { roomNumber, before } = last;
    this.last.value = undefined;
    await this.#act(roomNumber, async (api) => {
      await api.setRoomStatus(roomNumber, before);
      this.#tapped({ roomNumber, text: words.undone(roomNumber) });
    });
  }

  async give({ taskId, roomNumber }: TaskView, attendant: string | null): Promise<void> {
    await this.#act(roomNumber, async (api) => {
      await api.giveTask(taskId, attendant);
      this.#tapped({ roomNumber, text: words.given(roomNumber, attendant) });
    });
  }

  override close(): void {
    super.close();
    clearTimeout(this.#together);
    clearTimeout(this.#undo);
  }

  dataChanged(replica: Replica, outcome: ReplicaOutcome): void {
    this.followDay();
    const known = this.#rooms.peek();
    this.#rooms.value = new Map(replica.rooms);
    if ([...replica.rooms.keys()].some((roomNumber) => !known.has(roomNumber))) void this.#readFloors();
    // Tasks and arrivals change by nearly every command about rooms and stays; those about prices change no room.
    const concerns = outcome.kind !== 'applied' || outcome.patches.length > 0 || !outcome.cause.includes('RATE');
    if (concerns) this.#readSoon();
  }

  protected override cameBack(): void {
    this.errors.value = new Map();
    void this.#readFloors();
    this.#readSoon();
  }

  protected followDay(): void {
    const property = this.property.peek();
    if (!property) return;
    const today = this.businessDateOf(property);
    if (today === this.today.value) return;
    this.today.value = today;
    this.#watch();
  }

  #act(roomNumber: string, work: (api: FrontDeskApi) => Promise<void>): Promise<void> {
    const api = this.#api;
    if (!api || this.busy.peek().has(roomNumber)) return Promise.resolve();
    this.#underWay = this.#carriedOut(roomNumber, () => work(api));
    return this.#underWay;
  }

  async #carriedOut(roomNumber: string, work: () => Promise<void>): Promise<void> {
    this.busy.value = new Set([...this.busy.peek(), roomNumber]);
    this.errors.value = new Map([...this.errors.peek()].filter(([room]) => room !== roomNumber));
    try {
      await work();
      await this.#read();
    } catch (error) {
      this.errors.value = new Map([...this.errors.peek(), [roomNumber, errorText(error)]]);
    } finally {
      this.busy.value = new Set([...this.busy.peek()].filter((room) => room !== roomNumber));
    }
  }

  #tapped(last: LastTap): void {
    clearTimeout(this.#undo);
    this.last.value = last;
    this.announcement.value = last.text;
    this.#undo = setTimeout(() => (this.last.value = undefined), UNDO_MS);
  }

  #watch(): void {
    const { propertyId } = this.property.value!;
    const window = { start: this.today.value, days: ARRIVAL_DAYS + 1 };
    this.client.watch({ propertyId, topics: ['rooms', 'feed'], window });
  }

  #readSoon(): void {
    this.#together ??= setTimeout(() => {
      this.#together = undefined;
      this.#read().catch((error: unknown) => (this.notice.value = errorText(error)));
    }, TOGETHER_MS);
  }

  async #read(): Promise<void> {
    const api = this.#api;
    if (!api) return;
    const today = this.today.peek();
    const arriving = { status: 'CONFIRMED', arrivalTo: addDays(today, ARRIVAL_DAYS), departureFrom: today };
    const [tasks, stays] = await Promise.all([api.tasks(), api.list(arriving)]);
    if (api !== this.#api) return;
    const arrivals = new Map<string, string>();
    for (const { stayDetails: stay } of stays.toSorted((a, b) =>
      a.stayDetails.checkIn < b.stayDetails.checkIn ? 1 : -1,
    ))
      arrivals.set(stay.roomNumber, stay.checkIn);
    batch(() => {
      this.#tasks.value = tasks;
      this.#arrivals.value = arrivals;
      this.loaded.value = true;
    });
  }

  async #readFloors(): Promise<void> {
    const api = this.#api;
    const rooms = await api?.rooms().catch(() => []);
    if (rooms && api === this.#api)
      this.#floors.value = new Map(rooms.map(({ roomNumber, floor }) => [roomNumber, floor]));
  }

  protected override showAddressed(): void {
    const floor = parameter('floor');
    const attendant = parameter('attendant');
    const state = STATES.find((one) => one === parameter('state'));
    this.filter.value = {
      ...(floor !== undefined && /^-?\d{1,3}$/.test(floor) && { floor: Number(floor) }),
      ...(attendant !== undefined && { attendant: attendant.trim() }),
      ...(state && { state }),
    };
  }

  protected override writeAddress(): () => void {
    return effect(() => {
      const { floor, attendant, state } = this.filter.value;
      // Tasks of nobody are a space in the address: an empty parameter is none.
      const named = attendant === '' ? ' ' : attendant;
      writeParameters({ floor: floor?.toString(), attendant: named, state }, 'replace');
    });
  }
}

/** A task is done as one, so that its minutes and its attendant are known; without one the room is set. */
async function carryOut(api: FrontDeskApi, { room, task }: BoardRoom, verb: Verb): Promise<void> {
  const { roomNumber } = room;
  if (verb === 'out-of-order') return api.setRoomStatus(roomNumber, 'OUT_OF_ORDER');
  if (verb === 'clean' && (task?.status === 'PENDING' || task?.status === 'IN_PROGRESS'))
    return void (await api.stepTask(task.taskId, 'complete'));
  if (verb === 'inspect' && task?.status === 'COMPLETED') return void (await api.stepTask(task.taskId, 'pass'));
  return api.setRoomStatus(roomNumber, verb === 'clean' ? 'CLEAN' : 'INSPECTED');
}
