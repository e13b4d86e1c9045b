import { rateOfNight } from '../../src/demo/rules/demand.ts';
import type { DemoProperty } from '../../src/demo/rules/hotels.ts';
import type { PlannedStay } from '../../src/demo/rules/plan.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Command } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { businessDate, endOfBusinessDay, type Instant } from '../../src/kernel/rules/property-time.ts';
import { clockOf } from '../../src/properties/rules/property.ts';
import type { Changes, FinalizedBatch } from '../../src/property-store/ports.ts';
import type { StatusChange } from '../../src/stay/ports.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { emptyState } from '../activation.ts';
import { finalizeBatch } from '../property/finalize-batch.ts';
import type { State } from '../property/state.ts';
import { demoGroup, demoMaintenance } from './extras.ts';
import { inOrder, type PastEvent, rolls, StayPlayer } from './play-stays.ts';
import { PlayedProperty } from './played-property.ts';
import type { StayWorld } from './stay-commands.ts';
import { sumsOfDays } from './sum-of-day.ts';

/** The past of a property: who came, and since when its journal says so. */
export type PastOf = {
  to: Address;
  property: DemoProperty;
  /** Commands that set the property up. */
  setUp: readonly Command[];
  stays: readonly PlannedStay[];
  world: StayWorld;
  /** First day of the journal. */
  journalFrom: Day;
  /** Stays that were over before this day are written later. */
  recentFrom: Day;
  now: Instant;
  /** Who has played it, as the journal says; the demo when absent. */
  name?: 'demo' | 'sandbox';
};

const MINUTE_MS = 60_000;
/** Time after the roll at which a property is set up. */
const SET_UP_MS = 60 * MINUTE_MS;

/** When a stay is over, and nothing of it changes any more. */
function overAt({ outcome, cancelledAt, arrival, leavesAt }: PlannedStay, endOf: (day: Day) => Instant): Instant {
  if (outcome === 'CANCELS') return cancelledAt!;
  return outcome === 'NO_SHOW' ? endOf(arrival) : leavesAt;
}

type Divided = Pick<PastOf, 'property' | 'stays' | 'journalFrom' | 'recentFrom' | 'now'>;

/**
 * Stays of the past by when they were over: before the journal, before the recent days, or later; those that are not
 * booked yet are nowhere.
 */
export function dividedStays({
  property: { timezone, nightAuditHour = NIGHT_AUDIT_HOUR },
  stays,
  journalFrom,
  recentFrom,
  now,
}: Divided) {
  const clock = { timezone, nightAuditHour };
  const [journalAt, recentAt] = [journalFrom, recentFrom].map((day) => endOfBusinessDay(day - 1, clock));
  const ends = new Map<Day, Instant>();
  const endOf = (day: Day): Instant => {
    const known = ends.get(day) ?? endOfBusinessDay(day, clock);
    ends.set(day, known);
    return known;
  };
  const booked = stays.filter(({ bookedAt }) => bookedAt <= now);
  const {
    oldest = [],
    old = [],
    recent = [],
  } = Object.groupBy(booked, (stay) => {
    const over = overAt(stay, endOf);
    return over >= recentAt! ? 'recent' : over >= journalAt! ? 'old' : 'oldest';
  });
  return { oldest, old, recent };
}

const NIGHT_AUDIT_HOUR = 3;

/** The property as it is now, with its journal; and the batches that write it, in order. */
export function playRecent(past: PastOf, epoch: number): FinalizedBatch[] {
  const { to, property, world, journalFrom, now } = past;
  const { oldest, old, recent } = dividedStays(past);
  const began = beganAt(past);
  const opening = setUpProperty(past, unplayedProperty(to), began, true);
  const batches = [finalizeBatch(opening.finished(), epoch, began)];
  const { seq, at, head } = opening.finished();
  const played = new PlayedProperty(opening.draft.apply(opening.draft.base, { seq, at, head }), true);
  const first = began + 10 * MINUTE_MS;
  const player = new StayPlayer(played, world, () => 'played').begin(first);
  const today = businessDate(now, clockOf(played.draft.property!));
  const dayRolls = [...rolls(played, journalFrom, today)].map(({ day, ...roll }) => ({
    at: roll.at,
    happens: () => {
      roll.happens();
      setLastRates(played, property);
      void day;
    },
  }));
  const events: PastEvent[] = [
    ...dayRolls,
    ...sumsOfDays(played, property, world, [...oldest, ...old], { first, until: now }),
    ...recent.flatMap((stay) => [...player.events(property, stay, first)]),
    ...demoGroup(played, player, { property, world, today, now }),
    ...demoMaintenance(played, { property, world, today, now }),
  ];
  for (const { happens } of inOrder(events, now)) happens();
  batches.push(withoutPastNights(finalizeBatch(played.finished(), epoch, now), today));
  return batches;
}

/** A property that does not exist yet, which keeps all of its reservations. */
export const unplayedProperty = (to: Address): State => ({
  ...emptyState(to, { epoch: 0, seq: 0, generation: 1, head: '' }),
  reservations: new Map(),
});

/** Sets a property up and prices all nights of its window. */
export function setUpProperty(past: PastOf, state: State, at: Instant, isJournaled: boolean): PlayedProperty {
  const played = new PlayedProperty(state, isJournaled, past.name);
  for (const [n, command] of past.setUp.entries())
    if (!played.do(command, at + n, 'demo-manager')) throw new Error(`${command.type} of the set-up was refused`);
  for (const { code } of past.property.types) {
    const { first, nights } = played.draft.slab(code)!;
    for (let day = first; day < first + nights; day++) setRate(played, past.property, code, day);
  }
  return played;
}

function setRate({ draft }: PlayedProperty, property: DemoProperty, code: string, day: Day): void {
  const rate = rateOfNight(property, code, day);
  if (rate) draft.setRate(code, day, rate.base, rate.multiplier, rate.amount);
}

/** The night that has entered the window with a roll. */
export function setLastRates(played: PlayedProperty, property: DemoProperty): void {
  for (const { code } of property.types) {
    const { first, nights } = played.draft.slab(code)!;
    setRate(played, property, code, first + nights - 1);
  }
}

export const beganAt = ({
  property: { timezone, nightAuditHour = NIGHT_AUDIT_HOUR },
  journalFrom,
}: Pick<PastOf, 'property' | 'journalFrom'>): Instant =>
  endOfBusinessDay(journalFrom - 1, { timezone, nightAuditHour }) + SET_UP_MS;

/** Rows of nights that have passed are of no use to anybody. */
export function withoutPastNights(batch: FinalizedBatch, today: Day): FinalizedBatch {
  const { changes } = batch;
  const toCome = <T extends { day: Day }>(rows: readonly T[]): T[] => rows.filter(({ day }) => day >= today);
  return { ...batch, changes: { ...changes, cells: toCome(changes.cells), rates: toCome(changes.rates) } };
}

/** Rows of stays that were over in a part of the past, until the end of a day. */
type OldPart = { until: Day; batch: FinalizedBatch };

/** Days of one part. */
const PART_DAYS = 30;

/** Which stays are played: those over on the days from `since` until before `until`. */
type Range = { firstDay: Day; since: Day; until: Day };

/**
 * Plays stays that were over before the recent ones, part by part in order: first those that the journal knows, then
 * the others. Nothing but the stays is written: their nights are in the journal already.
 */
export function* playOld(past: PastOf, firstDay: Day): Iterable<OldPart> {
  const { oldest, old } = dividedStays(past);
  const { journalFrom, recentFrom } = past;
  yield* playRange(past, old, { firstDay, since: journalFrom, until: recentFrom });
  yield* playRange(past, oldest, { firstDay, since: firstDay, until: journalFrom });
}

/** Number of parts of {@link playOld}. */
export function countParts(
  { journalFrom, recentFrom }: Pick<PastOf, 'journalFrom' | 'recentFrom'>,
  firstDay: Day,
): number {
  return Math.ceil((recentFrom - journalFrom) / PART_DAYS) + Math.ceil((journalFrom - firstDay) / PART_DAYS);
}

function* playRange(
  past: PastOf,
  stays: readonly PlannedStay[],
  { firstDay, since, until }: Range,
): Iterable<OldPart> {
  const { to, property, world } = past;
  const began = beganAt({ ...past, journalFrom: firstDay });
  const played = setUpProperty(past, unplayedProperty(to), began, false);
  const first = began + MINUTE_MS;
  const player = new StayPlayer(played, world, () => 'at once').begin(first);
  const clock = clockOf(played.draft.property!);
  const last = endOfBusinessDay(until - 1, clock) + MARKED_MS;
  const dayRolls = [...rolls(played, firstDay, until)].map(({ at, happens }) => ({
    at,
    happens: () => {
      happens();
      setLastRates(played, property);
    },
  }));
  // Who had cancelled before was never a guest of this property.
  const known = stays.filter(({ cancelledAt = Infinity }) => cancelledAt > first + MINUTE_MS);
  const events = inOrder([...dayRolls, ...known.flatMap((stay) => [...player.events(property, stay, first)])], last);
  const history = new Map<string, StatusChange[]>();
  let at = 0;
  for (let from = since; from < until; from += PART_DAYS) {
    const end = Math.min(until, from + PART_DAYS);
    const endsAt = end === until ? last : endOfBusinessDay(end - 1, clock);
    for (; at < events.length && events[at]!.at <= endsAt; at++) events[at]!.happens();
    yield { until: end, batch: takeFinished(played, history, to) };
  }
}

/** No-shows of the last day are marked a little after it. */
const MARKED_MS = 10 * MINUTE_MS;

const OVER: ReadonlySet<Reservation['status']> = new Set(['CHECKED_OUT', 'CANCELLED', 'NO_SHOW']);

/** Takes out of the property what is over, with all that is stored of it. */
function takeFinished(played: PlayedProperty, history: Map<string, StatusChange[]>, to: Address): FinalizedBatch {
  const draft = played.goOn();
  for (const change of draft.history) {
    const known = history.get(change.reservationId) ?? [];
    history.set(change.reservationId, [...known, change]);
  }
  const over = draft.reservations.put().filter(({ status }) => OVER.has(status));
  const payments = over.flatMap(({ id, payments: all }) => all.map((payment) => ({ reservationId: id, payment })));
  const changes = {
    ...nothing(draft.property!.metadata.currency),
    created: [...over.map(({ id }) => id), ...payments.map(({ payment }) => payment.paymentId)],
    // No documents: invoices of that time are of the system before, so that numbers here never have a gap.
    reservations: over,
    payments,
    history: over.flatMap(({ id }) => history.get(id) ?? []),
  };
  for (const { id } of over) {
    history.delete(id);
    played.draft.base.reservations.delete(id);
  }
  return { to, epoch: 0, oldSeq: 0, oldHead: '', newSeq: 0, head: '', at: 0, changes, entries: [], keys: [] };
}

function nothing(currency: string): Changes {
  const none: never[] = [];
  return {
    property: undefined,
    propertyDeleted: false,
    roomTypes: none,
    roomTypesRemoved: none,
    rooms: none,
    roomsRemoved: none,
    plans: none,
    plansRemoved: none,
    currency,
    cells: none,
    books: none,
    rates: none,
    signals: none,
    restrictions: none,
    promotions: none,
    calendarEvents: none,
    calendarEventsRemoved: none,
    groups: none,
    created: none,
    reservations: none,
    payments: none,
    documents: none,
    history: none,
    guests: none,
    holds: none,
    holdsRemoved: none,
    roomStays: none,
    roomStaysRemoved: none,
    maintenances: none,
    housekeeping: none,
    waitlist: none,
    inquiries: none,
    maintenancesRemoved: none,
    extraStays: none,
    extraStaysRemoved: none,
  };
}
