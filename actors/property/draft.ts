import type { Group } from '../../src/groups/rules/group.ts';
import type { Guest } from '../../src/guests/rules/guest.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type {
  GroupId,
  HousekeepingTaskId,
  InquiryId,
  MaintenanceId,
  ReservationId,
  WaitlistId,
} from '../../src/kernel/rules/ids.ts';
import type { CellFact, CellState, Facts } from '../../src/kernel/rules/journal.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import { type DocumentKind, type InvoiceDocument, sequenceOf } from '../../src/money/rules/invoice-document.ts';
import type { Payment } from '../../src/money/rules/payment.ts';
import type { Property, Room, RoomType } from '../../src/properties/rules/property.ts';
import type { KeyChange } from '../../src/property-store/ports.ts';
import type { CalendarEvent } from '../../src/rates/rules/calendar-event.ts';
import type { Promotion } from '../../src/rates/rules/promotion.ts';
import { BAR, type RatePlan } from '../../src/rates/rules/rate-plan.ts';
import type { RestrictionTable } from '../../src/rates/rules/restriction-table.ts';
import type { RestrictionDays } from '../../src/rates/rules/restriction.ts';
import type { HousekeepingTask } from '../../src/rooms/rules/housekeeping.ts';
import type { Maintenance } from '../../src/rooms/rules/maintenance.ts';
import type { PlanStay, RoomPlan } from '../../src/rooms/rules/room-plan.ts';
import type { StatusChange } from '../../src/stay/ports.ts';
import type { ExtraStay } from '../../src/stay/rules/extra-nights.ts';
import type { Hold } from '../../src/stay/rules/hold.ts';
import type { Inquiry } from '../../src/stay/rules/inquiry.ts';
import { otbFact, type OtbEntry } from '../../src/stay/rules/otb-entry.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { isOpen, type WaitlistEntry } from '../../src/stay/rules/waitlist.ts';
import { cellFact, cellMove } from './cell-facts.ts';
import type { OtbLedger } from './otb-ledger.ts';
import { FullOverlay, ChangeTrackingOverlay } from './overlay.ts';
import { withRecord } from './own-map.ts';
import type { Counter, Slab } from './slab.ts';
import { type State, RATE_VERSION_STALE } from './state.ts';

/**
 * The state as a batch changes it. Commands read and write here, in order; the base state stays as it is until the
 * batch has committed. A handler checks everything before its first write, so an error leaves no trace.
 */
export class Draft {
  readonly base: State;
  property: Property | undefined;
  removed: Property | undefined;
  today: Day;
  unfinished: number;
  roomTypes: Map<string, RoomType>;
  rooms: Map<string, Room>;
  plans: Map<string, RatePlan>;
  restrictions: RestrictionTable;
  promotions: Map<string, Promotion>;
  calendarEvents: Map<string, CalendarEvent>;
  groups: Map<string, Group>;
  roomPlan: RoomPlan;
  maintenances: Map<MaintenanceId, Maintenance>;
  housekeeping: Map<HousekeepingTaskId, HousekeepingTask>;
  waitlist: Map<WaitlistId, WaitlistEntry>;
  inquiries: Map<InquiryId, Inquiry>;
  extraStays: Map<string, ExtraStay>;
  #serials: State['serials'];
  /** Versions of the rates that a RELOAD applied. */
  reloaded: Pick<State, 'rateVersion' | 'ratesAhead'> | undefined;
  readonly holds: FullOverlay<Hold>;
  readonly usedQuotes: FullOverlay<number>;
  readonly reservations: ChangeTrackingOverlay<Reservation>;
  /** Ids of new reservations, payments and holds. */
  readonly created = new Set<string>();
  readonly payments = new Map<string, { reservationId: ReservationId; payment: Payment }>();
  readonly history: StatusChange[] = [];
  /** Invoices and credit notes that the batch issues, in order. */
  readonly documents: InvoiceDocument[] = [];
  /** Reservations that a command needs and that are not in memory. */
  readonly missing = new Set<string>();
  /** Reservations whose room, or its nights, changed. */
  readonly roomStaysPut = new Set<string>();
  readonly guests = new Map<string, { guest: Guest; wrappedKey?: string }>();
  readonly keys = new Map<string, KeyChange>();
  readonly roomTypesPut = new Set<string>();
  readonly roomsPut = new Set<string>();
  readonly plansPut = new Set<string>();
  readonly plansRemoved = new Map<string, { id: string; code: string }>();
  /** Days whose restrictions are written, by plan and room type. */
  readonly restrictionsPut = new Map<string, { rateCode: string; roomType: string; days: Set<Day> }>();
  /** Promotions by code with the nights whose units changed; groups by id with the blocks that changed. */
  readonly promotionsPut = new Map<string, { promotion: Promotion; nights: Set<Day> }>();
  readonly groupsPut = new Map<string, { group: Group; blocks: Set<string> }>();
  readonly calendarEventsPut = new Set<string>();
  /** Maintenances that are stored, and null for those that are removed. */
  readonly maintenancesPut = new Map<MaintenanceId, Maintenance | null>();
  /** Housekeeping tasks that are stored, current ones and those that are over. */
  readonly housekeepingPut = new Map<HousekeepingTaskId, HousekeepingTask>();
  readonly waitlistPut = new Map<WaitlistId, WaitlistEntry>();
  readonly inquiriesPut = new Map<InquiryId, Inquiry>();
  /** Pieces of extras by posting, and null for those that are free again. */
  readonly extraStaysPut = new Map<string, ExtraStay | null>();
  readonly roomTypesRemoved = new Set<string>();
  readonly roomsRemoved = new Set<string>();
  propertyPut = false;
  /** Cells and rates to write, by room type. */
  readonly cells = new Map<string, Set<Day>>();
  readonly rates = new Map<string, Set<Day>>();
  readonly signals = new Map<string, Set<Day>>();
  /** Nights of the on-the-books ledger to write. */
  readonly booksPut = new Set<Day>();
  #books: OtbLedger;
  #entered = new Set<Day>();
  readonly #slabs: Map<string, Slab>;
  readonly #copied = new Set<string>();
  #touched = new Map<string, Set<Day>>();
  #roomsChanged = new Set<string>();
  /** Cells as earlier commands of the batch left them, for the change that a fact reports. */
  readonly #shown = new Map<string, CellState>();

  constructor(base: State) {
    this.base = base;
    this.property = base.property;
    this.removed = base.removed;
    this.today = base.today;
    this.unfinished = base.unfinished;
    this.roomTypes = base.roomTypes as Map<string, RoomType>;
    this.rooms = base.rooms as Map<string, Room>;
    this.plans = base.plans as Map<string, RatePlan>;
    this.restrictions = base.restrictions;
    this.promotions = base.promotions as Map<string, Promotion>;
    this.calendarEvents = base.calendarEvents as Map<string, CalendarEvent>;
    this.groups = base.groups as Map<string, Group>;
    this.roomPlan = base.roomPlan;
    this.maintenances = base.maintenances as Map<MaintenanceId, Maintenance>;
    this.housekeeping = base.housekeeping as Map<HousekeepingTaskId, HousekeepingTask>;
    this.waitlist = base.waitlist as Map<WaitlistId, WaitlistEntry>;
    this.inquiries = base.inquiries as Map<InquiryId, Inquiry>;
    this.extraStays = base.extraStays as Map<string, ExtraStay>;
    this.#serials = base.serials;
    this.#books = base.books;
    this.#slabs = new Map(base.slabs);
    this.holds = new FullOverlay(base.holds);
    this.usedQuotes = new FullOverlay(base.usedQuotes);
    this.reservations = new ChangeTrackingOverlay(base.reservations);
  }

  get promisedUnits(): State['promisedUnits'] {
    return this.base.promisedUnits;
  }

  get slabs(): ReadonlyMap<string, Slab> {
    return this.#slabs;
  }

  slab(roomType: string): Slab | undefined {
    return this.#slabs.get(roomType);
  }

  /** Replaces the slab of a room type: for a new type, or when the window moves. */
  putSlab(roomType: string, slab: Slab): void {
    this.#slabs.set(roomType, slab);
    this.#copied.add(roomType);
  }

  dropSlab(roomType: string): void {
    this.#slabs.delete(roomType);
  }

  /** The slab to write to: a copy, made once per batch. */
  #writable(roomType: string): Slab {
    const slab = this.#slabs.get(roomType);
    if (!slab) throw new Error(`the property has no slab for room type ${roomType}`);
    if (this.#copied.has(roomType)) return slab;
    const copy = slab.copy();
    this.putSlab(roomType, copy);
    return copy;
  }

  add(roomType: string, day: Day, counter: Counter, rooms: number): void {
    this.#writable(roomType).add(day, counter, rooms);
    this.touch(roomType, day);
    if (counter === 'booked') this.enter({ day, pickup: rooms });
  }

  get books(): OtbLedger {
    return this.#books;
  }

  /** Adds to the on-the-books ledger of a night. */
  enter(change: Partial<OtbEntry> & { day: Day }): void {
    if (this.#books === this.base.books) this.#books = this.#books.copy();
    this.#books.add(change);
    this.booksPut.add(change.day);
    this.#entered.add(change.day);
  }

  /** Moves the on-the-books ledger to the business date that the batch has set. */
  turnBooks(): void {
    this.#books = this.#books.on(this.today);
  }

  /** Reports all nights of the ledger in the facts of the running command. */
  showBooks(): void {
    for (const { day } of this.#books.nights()) this.#entered.add(day);
  }

  /** Changes inventory settings of a cell through `write`. */
  editCell(roomType: string, day: Day, write: (slab: Slab) => void): void {
    write(this.#writable(roomType));
    this.touch(roomType, day);
  }

  setRate(roomType: string, day: Day, base: number, multiplier: number, amount: Minor): void {
    this.#writable(roomType).setRate(day, base, multiplier, amount);
    mark(this.rates, roomType, day);
    mark(this.#touched, roomType, day);
  }

  setSignals(roomType: string, day: Day, signals: Parameters<Slab['setSignals']>[1]): void {
    this.#writable(roomType).setSignals(day, signals);
    mark(this.signals, roomType, day);
  }

  /** Reports a cell in the facts of the running command without writing its row. */
  show(roomType: string, day: Day): void {
    mark(this.#touched, roomType, day);
  }

  /**
   * Version of the rates in memory. RATE_VERSION_STALE when new cells may have stored rates that only a RELOAD can
   * publish.
   */
  get rateVersion(): number {
    const grown = this.today !== this.base.today || this.propertyPut || this.roomTypesPut.size > 0;
    const stale = this.base.ratesAhead && grown;
    return this.reloaded?.rateVersion ?? (stale ? RATE_VERSION_STALE : this.base.rateVersion);
  }

  /** Whether the batch writes rates or plans, or removes them with their type. */
  get changesRates(): boolean {
    return this.rates.size > 0 || this.plansPut.size + this.plansRemoved.size + this.roomTypesRemoved.size > 0;
  }

  /** Marks a cell as changed: its row is written, and the running command reports it in its facts. */
  touch(roomType: string, day: Day): void {
    mark(this.cells, roomType, day);
    mark(this.#touched, roomType, day);
  }

  /** Facts of the cells that the running command changed, in absolute values. Resets them for the next command. */
  takeCells(): Pick<Facts, 'cells'> {
    if (this.#touched.size === 0) return {};
    const cells: CellFact[] = [];
    for (const [roomType, days] of this.#touched) {
      for (const day of days) {
        const key = `${roomType}\n${day}`;
        const place = [roomType, day] as const;
        const fact = cellFact(this, place, BAR);
        if (!fact) continue;
        const move = cellMove(this.#shown.get(key) ?? cellFact(this.base, place, BAR), fact);
        this.#shown.set(key, fact);
        cells.push(move ? [...fact, move] : fact);
      }
    }
    this.#touched = new Map();
    return { cells };
  }

  /** Facts of the ledger nights that the running command changed, in absolute values. */
  takeBooks(): Pick<Facts, 'books'> {
    const days = [...this.#entered].filter((day) => day >= this.today);
    this.#entered = new Set();
    return days.length === 0 ? {} : { books: days.map((day) => otbFact(this.#books.night(day))) };
  }

  putRoomType(roomType: RoomType): void {
    this.roomTypes = withRecord(this.roomTypes, this.base.roomTypes, roomType.roomType, roomType);
    this.roomTypesPut.add(roomType.roomType);
    this.roomTypesRemoved.delete(roomType.roomType);
  }

  removeRoomType(roomType: string): void {
    this.roomTypes = withRecord(this.roomTypes, this.base.roomTypes, roomType, false);
    this.roomTypesPut.delete(roomType);
    this.roomTypesRemoved.add(roomType);
    this.dropSlab(roomType);
    this.#dropRestrictions(roomType);
  }

  putRoom(room: Room): void {
    this.rooms = withRecord(this.rooms, this.base.rooms, room.roomNumber, room);
    this.roomsPut.add(room.roomNumber);
    this.roomsRemoved.delete(room.roomNumber);
    this.#roomsChanged.add(room.roomNumber);
  }

  removeRoom(roomNumber: string): void {
    this.rooms = withRecord(this.rooms, this.base.rooms, roomNumber, false);
    this.roomsPut.delete(roomNumber);
    this.roomsRemoved.add(roomNumber);
    this.#roomsChanged.add(roomNumber);
  }

  /** Rooms that the running command changed or removed. Resets them for the next command. */
  takeRooms(): ReadonlySet<string> {
    const changed = this.#roomsChanged;
    if (changed.size > 0) this.#roomsChanged = new Set();
    return changed;
  }

  putPlan(plan: RatePlan): void {
    // Always a new map: price caches use it as their key.
    this.plans = new Map(this.plans).set(plan.code, plan);
    this.plansPut.add(plan.code);
  }

  removePlan({ id, code }: RatePlan): void {
    this.plans = new Map(this.plans);
    this.plans.delete(code);
    this.plansPut.delete(code);
    this.plansRemoved.set(id, { id, code });
    const restrictions = new Map(this.restrictions);
    restrictions.delete(code);
    this.restrictions = restrictions;
    for (const [key, put] of this.restrictionsPut) if (put.rateCode === code) this.restrictionsPut.delete(key);
  }

  /** Replaces the restrictions of a plan in a room type; the rows of `days` are written. */
  putRestrictions(rateCode: string, roomType: string, all: RestrictionDays, days: readonly Day[]): void {
    const types = new Map(this.restrictions.get(rateCode));
    if (all.size > 0) types.set(roomType, all);
    else types.delete(roomType);
    this.restrictions = new Map(this.restrictions).set(rateCode, types);
    const key = restrictionsKey(rateCode, roomType);
    const put = this.restrictionsPut.get(key) ?? { rateCode, roomType, days: new Set() };
    for (const day of days) put.days.add(day);
    this.restrictionsPut.set(key, put);
  }

  /**
   * Drops the restrictions of a removed room type: a new type of the same name starts without. Their rows are deleted
   * with the type.
   */
  #dropRestrictions(roomType: string): void {
    for (const [rateCode, types] of this.restrictions) {
      if (!types.has(roomType)) continue;
      this.putRestrictions(rateCode, roomType, new Map(), []);
      this.restrictionsPut.delete(restrictionsKey(rateCode, roomType));
    }
  }

  /** Stores a promotion. @param nights whose units changed */
  putPromotion(promotion: Promotion, nights: readonly Day[] = []): void {
    this.promotions = withRecord(this.promotions, this.base.promotions, promotion.promoCode, promotion);
    const before = this.promotionsPut.get(promotion.promoCode)?.nights ?? [];
    this.promotionsPut.set(promotion.promoCode, { promotion, nights: new Set([...before, ...nights]) });
  }

  /** Drops a promotion that is over from memory; its row stays. */
  forgetPromotion(promoCode: string): void {
    this.promotions = withRecord(this.promotions, this.base.promotions, promoCode, false);
  }

  /** Stores a group. @param blocks keys of the blocks that changed */
  putGroup(group: Group, blocks: readonly string[]): void {
    this.groups = withRecord(this.groups, this.base.groups, group.groupId, group);
    const before = this.groupsPut.get(group.groupId)?.blocks ?? [];
    this.groupsPut.set(group.groupId, { group, blocks: new Set([...before, ...blocks]) });
  }

  /** Drops a group that is over from memory; its row stays. */
  forgetGroup(groupId: GroupId): void {
    this.groups = withRecord(this.groups, this.base.groups, groupId, false);
  }

  /**
   * Reads a further reservation that the command needs. If it is not in memory, the command is aborted, the
   * reservation read, and the batch decided again.
   */
  needed(reservationId: ReservationId): Reservation {
    const reservation = this.reservations.get(reservationId);
    if (reservation) return reservation;
    this.missing.add(reservationId);
    throw new DomainError('NOT_EXECUTED', 'A reservation had to be read first.', { retryAfterSeconds: 1 });
  }

  /** Records the room and the nights of a stay in the room plan. */
  putRoomStay(stay: PlanStay): void {
    this.roomPlan = this.roomPlan.with([stay]);
    this.roomStaysPut.add(stay.reservationId);
  }

  dropRoomStay(reservationId: ReservationId): void {
    this.roomPlan = this.roomPlan.with([], [reservationId]);
    this.roomStaysPut.add(reservationId);
  }

  putMaintenance(one: Maintenance): void {
    this.maintenances = withRecord(this.maintenances, this.base.maintenances, one.maintenanceId, one);
    this.maintenancesPut.set(one.maintenanceId, one);
  }

  removeMaintenance(id: MaintenanceId): void {
    this.forgetMaintenance(id);
    this.maintenancesPut.set(id, null);
  }

  /** Drops a maintenance that is over from memory; its row stays. */
  forgetMaintenance(id: MaintenanceId): void {
    this.maintenances = withRecord(this.maintenances, this.base.maintenances, id, false);
  }

  /** Stores a task; one on which nobody can act any more leaves memory, and its row stays. */
  putTask(task: HousekeepingTask, isCurrent: boolean): void {
    this.housekeeping = withRecord(this.housekeeping, this.base.housekeeping, task.taskId, isCurrent && task);
    this.housekeepingPut.set(task.taskId, task);
  }

  putInquiry(one: Inquiry): void {
    const isCurrent = one.status === 'OPEN';
    this.inquiries = withRecord(this.inquiries, this.base.inquiries, one.inquiryId, isCurrent && one);
    this.inquiriesPut.set(one.inquiryId, one);
  }

  /** Stores a request; one that is over leaves memory, and its row stays. */
  putWaiting(one: WaitlistEntry): void {
    this.waitlist = withRecord(this.waitlist, this.base.waitlist, one.waitlistId, isOpen(one) && one);
    this.waitlistPut.set(one.waitlistId, one);
  }

  /** Next document number of a kind in a year. Numbers start at 1, and each is used once. */
  nextSerial(kind: DocumentKind, year: number): number {
    const sequence = sequenceOf({ kind, year });
    const serial = (this.#serials.get(sequence) ?? 0) + 1;
    this.#serials = new Map(this.#serials).set(sequence, serial);
    return serial;
  }

  /** The state after this batch, for deciding the next one while this one is being written. */
  preview({ seq, at, head }: ChainPosition): State {
    return {
      ...this.base,
      seq,
      at,
      head,
      holds: this.holds,
      usedQuotes: this.usedQuotes,
      reservations: this.reservations,
      property: this.property,
      removed: this.removed,
      today: this.today,
      unfinished: this.unfinished,
      roomTypes: this.roomTypes,
      rooms: this.rooms,
      plans: this.plans,
      restrictions: this.restrictions,
      promotions: this.promotions,
      calendarEvents: this.calendarEvents,
      groups: this.groups,
      roomPlan: this.roomPlan,
      maintenances: this.maintenances,
      housekeeping: this.housekeeping,
      waitlist: this.waitlist,
      inquiries: this.inquiries,
      extraStays: this.extraStays,
      serials: this.#serials,
      slabs: this.#slabs,
      books: this.#books,
      rateVersion: this.rateVersion,
      ratesAhead: this.reloaded?.ratesAhead ?? this.base.ratesAhead,
      ratesSeq: this.changesRates ? seq : this.base.ratesSeq,
    };
  }

  /** The state after the batch has committed; called once. `committed` is the state before it. */
  apply(committed: State, after: ChainPosition): State {
    const { holds, usedQuotes, reservations } = committed;
    this.holds.apply(holds);
    this.usedQuotes.apply(usedQuotes);
    this.reservations.apply(reservations);
    return { ...this.preview(after), holds, usedQuotes, reservations };
  }

  /** Called when the batch before this one has committed: its changes are part of `committed` now. */
  rebase({ holds, usedQuotes, reservations }: State): void {
    this.holds.rebase(holds);
    this.usedQuotes.rebase(usedQuotes);
    this.reservations.rebase(reservations);
  }
}

/** Position of a property after a batch: its `seq`, the time of decision, and the head of the audit chain. */
export type ChainPosition = { seq: number; at: Instant; head: string };

const restrictionsKey = (rateCode: string, roomType: string): string => `${rateCode}\n${roomType}`;

function mark(into: Map<string, Set<Day>>, roomType: string, day: Day): void {
  let days = into.get(roomType);
  if (!days) into.set(roomType, (days = new Set()));
  days.add(day);
}
