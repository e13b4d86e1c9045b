import type { Address } from '../src/kernel/rules/caller.ts';
import type { Command } from '../src/kernel/rules/commands.ts';
import type { Day } from '../src/kernel/rules/dates.ts';
import type { Instant } from '../src/kernel/rules/property-time.ts';
import { sequenceOf } from '../src/money/rules/invoice-document.ts';
import type { Loaded, LoadedNights, Ownership, StoredSignal } from '../src/property-store/ports.ts';
import { isValidLive, type LiveSignal } from '../src/rates/rules/live-signal.ts';
import { tableOfRows } from '../src/rates/rules/restriction-table.ts';
import type { Restriction } from '../src/rates/rules/restriction.ts';
import { RoomPlan } from '../src/rooms/rules/room-plan.ts';
import { ownEnvelope } from './mailbox.ts';
import { type DecidedBatch, decideBatch } from './property/decide-batch.ts';
import { OtbLedger } from './property/otb-ledger.ts';
import { PromisedUnits } from './property/rates/promised-units.ts';
import { areAhead, validateStoredRates } from './property/reload.ts';
import { areRoomsAligned } from './property/rooms/closed-rooms.ts';
import { areTasksAligned } from './property/rooms/housekeeping.ts';
import { Slab } from './property/slab.ts';
import { type State, windowNights } from './property/state.ts';
import { ReservationCache } from './reservation-cache.ts';

/** Longest lifetime of a quote token (docs/reference/rates.md#quote). */
const QUOTE_LIFE_MS = 15 * 60_000;

/** State of a property that does not exist yet: only CREATE_PROPERTY is accepted. */
export function emptyState(address: Address, { seq, generation, head }: Ownership): State {
  return {
    address,
    seq,
    generation,
    head,
    at: 0,
    property: undefined,
    today: 0,
    roomTypes: new Map(),
    rooms: new Map(),
    plans: new Map(),
    restrictions: new Map(),
    promotions: new Map(),
    calendarEvents: new Map(),
    promisedUnits: new PromisedUnits(),
    groups: new Map(),
    slabs: new Map(),
    books: OtbLedger.empty(0),
    rateVersion: 0,
    ratesAhead: false,
    ratesSeq: 0,
    unfinished: 0,
    holds: new Map(),
    usedQuotes: new Map(),
    roomPlan: RoomPlan.of([], []),
    maintenances: new Map(),
    housekeeping: new Map(),
    waitlist: new Map(),
    inquiries: new Map(),
    extraStays: new Map(),
    serials: new Map(),
    reservations: new ReservationCache(),
  };
}

/** State from the rows that the database holds at `ownership.seq`. `today` is the stored business date. */
export function stateOf(address: Address, loaded: Loaded, today: Day): State {
  const property = (loaded.property ?? loaded.removed)!;
  const empty = emptyState(address, loaded.ownership);
  for (const reservation of loaded.pending) empty.reservations.set(reservation.id, reservation);
  const lastStored = loaded.cells.reduce((last, { day }) => Math.max(last, day), 0);
  const nights = Math.max(windowNights(property), lastStored - today + 1);
  const slabs = new Map(
    loaded.roomTypes.map(
      (type) => [type.roomType, Slab.empty(type.roomType, today, nights, type.totalRooms)] as const,
    ),
  );
  for (const cell of loaded.cells) {
    const slab = slabs.get(cell.roomType);
    if (!slab?.has(cell.day)) continue;
    slab.setTotal(cell.day, cell.total);
    slab.setCount(cell.day, 'booked', cell.booked);
    slab.setCount(cell.day, 'held', cell.held);
    slab.setCount(cell.day, 'group', cell.groupBlocked);
    slab.setCount(cell.day, 'outOfOrder', cell.outOfOrder);
    slab.setCount(cell.day, 'external', cell.externalBlocked);
    slab.setOverbooking(cell.day, cell.overbookingLimit);
    if (cell.told) slab.setStamp(cell.day, cell.told);
  }
  // Invalid rate rows are left out: such a night is not sold, but the property still activates.
  const { plans, rates } = validateStoredRates(loaded);
  for (const { roomType, day, rate, multiplier, amount } of rates) {
    const slab = slabs.get(roomType);
    if (slab?.has(day)) slab.setRate(day, rate, multiplier, amount);
  }
  for (const { roomType, day, demand, market, bid, bidPerRoom = 0, bidRooms, ...stored } of loaded.signals) {
    const slab = slabs.get(roomType);
    if (!slab?.has(day)) continue;
    const isBid = bid !== undefined && bidRooms !== undefined;
    const known = isBid ? { amount: bid, perRoom: bidPerRoom, rooms: bidRooms } : undefined;
    slab.setSignals(day, { demand, market, bid: known, live: liveOf(stored) });
  }
  return {
    ...empty,
    at: loaded.at,
    property: loaded.property,
    removed: loaded.property ? undefined : loaded.removed,
    today,
    unfinished: loaded.unfinished,
    roomTypes: new Map(loaded.roomTypes.map((type) => [type.roomType, type])),
    rooms: new Map(loaded.rooms.map((room) => [room.roomNumber, room])),
    plans: new Map(plans.map((plan) => [plan.code, plan])),
    restrictions: tableOfRows(restrictionsOf(loaded), plans),
    promotions: new Map(loaded.promotions.map((promotion) => [promotion.promoCode, promotion])),
    calendarEvents: new Map(loaded.calendarEvents.map((event) => [event.eventId, event])),
    groups: new Map(loaded.groups.map((group) => [group.groupId, group])),
    slabs,
    books: OtbLedger.of(today, loaded.books),
    rateVersion: loaded.journaledRateVersion,
    ratesAhead: areAhead(rates, slabs),
    holds: new Map(loaded.holds.map((hold) => [hold.id, hold])),
    roomPlan: RoomPlan.of([], loaded.roomStays),
    maintenances: new Map(loaded.maintenances.map((one) => [one.maintenanceId, one])),
    housekeeping: new Map(loaded.housekeeping.map((task) => [task.taskId, task])),
    waitlist: new Map(loaded.waitlist.map((one) => [one.waitlistId, one])),
    inquiries: new Map(loaded.inquiries.map((one) => [one.inquiryId, one])),
    extraStays: new Map(loaded.extraStays.map((one) => [one.postingId, one])),
    serials: new Map(loaded.serials.map(({ serial, ...sequence }) => [sequenceOf(sequence), serial])),
    usedQuotes: new Map(
      [...loaded.usedQuotes, ...quotesOf(loaded)].map(({ quoteId, expiresAt }) => [quoteId, expiresAt]),
    ),
  };
}

/** State of a property of which only some nights were read. Its views of these nights equal those of the owner. */
export function stateOfNights({ to, ...read }: LoadedNights, today: Day): State {
  const { seq, generation } = read;
  const nothing = {
    pending: [],
    rooms: [],
    promotions: [],
    calendarEvents: [],
    groups: [],
    books: [],
    holds: [],
    roomStays: [],
    maintenances: [],
    housekeeping: [],
    waitlist: [],
    inquiries: [],
    extraStays: [],
    serials: [],
    usedQuotes: [],
  };
  const rest = { rateVersion: 0, journaledRateVersion: 0, unfinished: 0, at: 0, today };
  return stateOf(to, { ...read, ...nothing, ...rest, ownership: { epoch: 0, seq, generation, head: '' } }, today);
}

/**
 * What changed while the actor was passive, committed before the first read; without it, one `seq` would have had two
 * different prices. Rates that were changed externally are reloaded, and rooms are brought in line with maintenances,
 * and housekeeping tasks with rooms, which the release before did not know or knew less of.
 */
export function adoption(state: State, loaded: Loaded, now: Instant): DecidedBatch | undefined {
  if (!state.property) return undefined;
  const commands: Command[] = [];
  if (state.rateVersion !== loaded.rateVersion) {
    const { plans, rates } = validateStoredRates(loaded);
    const stored = { version: loaded.rateVersion, seq: state.seq, plans, rates };
    commands.push({ type: 'RELOAD', stored, unseen: true });
  }
  if (!areRoomsAligned(state) || !areTasksAligned(state)) commands.push({ type: 'ALIGN_ROOMS' });
  return commands.length === 0 ? undefined : decideBatch(state, commands.map(ownEnvelope), now);
}

/** Live rates as stored; those that nothing can be priced by are none. */
function liveOf({
  liveFactors: factors,
  liveRooms: rooms = 0,
  liveStep: step = 0,
  liveStart: start = 0,
  liveOn: on = 0,
}: Partial<StoredSignal>): LiveSignal | undefined {
  const live = factors && { rooms, step, factors, start, on };
  return live && isValidLive(live) ? live : undefined;
}

/** Quotes used by bookings whose payment is under way: no reservation names them yet. */
function quotesOf({ holds }: Loaded): Loaded['usedQuotes'] {
  return holds.flatMap(({ booking, expiresAt }) => {
    const quoteId = booking?.reservation.quoteId;
    return quoteId === undefined ? [] : [{ quoteId, expiresAt: expiresAt + QUOTE_LIFE_MS }];
  });
}

/** Shares one object among equal restrictions: a year under the same restriction needs one object. */
function restrictionsOf({ restrictions }: Loaded): State['restrictions'] {
  const plans = new Map<string, Map<string, Map<Day, Restriction>>>();
  const known = new Map<string, Restriction>();
  for (const { rateCode, roomType, day, restriction } of restrictions) {
    const text = JSON.stringify(restriction);
    const shared = known.get(text) ?? restriction!;
    known.set(text, shared);
    const types = plans.get(rateCode) ?? new Map<string, Map<Day, Restriction>>();
    const days = types.get(roomType) ?? new Map<Day, Restriction>();
    plans.set(rateCode, types.set(roomType, days.set(day, shared)));
  }
  return plans;
}
