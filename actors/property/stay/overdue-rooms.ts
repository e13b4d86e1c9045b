import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { endOfBusinessDay, type Instant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../../src/kernel/rules/sale-window.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import type { Hold } from '../../../src/stay/rules/hold.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { derivedId } from '../money/refunds.ts';
import { moveNights } from '../nights.ts';
import { nightUnder, pricingOf } from '../rates/plans.ts';
import type { State } from '../state.ts';

/** How long the price of a night is remembered for somebody who has stayed it: no stay is longer. */
const REMEMBERED_MS = MAX_NIGHTS * 86_400_000;

/** From when on guests who leave today are overdue. */
export function departureTime({ metadata }: Property, today: Day): Instant {
  return instantAt(today, metadata.checkOutTime, metadata.timezone);
}

/** Whether a guest should have left by the end of a day; `isLate`: the check-out time of that day has passed. */
function isOverdue({ status, checkOut }: PlanStay, day: Day, isLate: boolean): boolean {
  return status === 'CHECKED_IN' && (checkOut < day || (isLate && checkOut === day));
}

/** The hold of the room of somebody who has not left, for one night. */
function overdueId(reservationId: string, day: Day): string {
  return derivedId(reservationId, 'overdue', String(day));
}

/** Whether a guest is overdue whose room is still on sale tonight. */
export function hasOverdue({ roomPlan, holds, today }: Pick<State, 'roomPlan' | 'holds' | 'today'>): boolean {
  for (const stay of roomPlan.stays)
    if (isOverdue(stay, today, true) && !holds.get(overdueId(stay.reservationId, today))) return true;
  return false;
}

/**
 * Rooms of guests who have not left by the check-out time of their last day are off sale for the night
 * (docs/concepts/rooms.md#overstays), with the price of the night for the case that they stay it. The room is not there
 * to be sold: as after a cut in capacity the night may fall short, and then sells nothing (I1).
 */
export function holdOverdueRooms(draft: Draft, now: Instant): void {
  const { today, property } = draft;
  const isLate = now >= departureTime(property!, today);
  for (const stay of draft.roomPlan.stays)
    if (isOverdue(stay, today, isLate)) holdRoom(draft, stay, today, { now, rooms: 1 });
}

/** Before the business date moves on to `next`: what the nights that end cost those who have stayed them. */
export function notePassedNights(draft: Draft, next: Day, now: Instant): void {
  for (const stay of draft.roomPlan.stays) {
    if (!isOverdue(stay, next, false)) continue;
    for (let day = Math.max(stay.checkOut, draft.today); day < next; day++)
      holdRoom(draft, stay, day, { now, rooms: 0 });
  }
}

function holdRoom(
  draft: Draft,
  { reservationId, roomType }: PlanStay,
  day: Day,
  { now, rooms }: { now: Instant; rooms: number },
): void {
  const id = overdueId(reservationId, day);
  if (draft.holds.get(id)) return;
  const { timezone, policies } = draft.property!.metadata;
  const night = { roomType, checkIn: day, checkOut: day + 1, rooms };
  const expiresAt = endOfBusinessDay(day, { timezone, nightAuditHour: policies.nightAuditHour }) + REMEMBERED_MS;
  const overdue = { rates: ratesByPersons(draft, roomType, day) };
  const hold: Hold = { id, kind: 'EXPLICIT', ...night, createdAt: now, expiresAt, overdue };
  if (rooms > 0) moveNights(draft, hold, 'held', rooms);
  draft.holds.set(id, hold);
  draft.created.add(id);
}

/** The best available rate of a night for one person, two, and so on; none where it has no price. */
function ratesByPersons(draft: Draft, roomType: string, day: Day): Minor[] {
  const [slab, plan] = [draft.slab(roomType), draft.plans.get(BAR)];
  if (!slab?.has(day) || !plan) return [];
  const pricing = pricingOf(draft.plans, plan);
  const { metadata } = draft.property!;
  const most = draft.roomTypes.get(roomType)?.maxGuests ?? 1;
  const rates = Array.from({ length: most }, (_, index) => {
    return nightUnder(slab, day, pricing, metadata, { persons: index + 1, nights: 1, ahead: 0 })?.rate;
  });
  return rates.every((rate) => rate !== undefined) ? rates : [];
}

/** What a night that a guest has stayed past his departure costs; `undefined` where nobody has noted it. */
export function overdueRate(draft: Draft, reservationId: string, day: Day, persons: number): Minor | undefined {
  const rates = draft.holds.get(overdueId(reservationId, day))?.overdue?.rates ?? [];
  return rates[Math.min(persons, rates.length) - 1];
}

/**
 * The nights that a guest has a room for: tonight too, where it is held for him and the night is not short of rooms. He
 * can stay on in it, as if he had booked it.
 */
export function stayWithTonight(draft: Draft, { id, stay }: Reservation): Stay {
  const { today, property } = draft;
  const hold = draft.holds.get(overdueId(id, today));
  const free = draft.slab(stay.roomType)?.free(today, property!.metadata.policies.overbookingLimit) ?? -1;
  return hold?.overdue && hold.roomType === stay.roomType && free >= 0 ? { ...stay, checkOut: today + 1 } : stay;
}

/**
 * Rooms of an overdue guest who has left, or stays on, are his no more or by his booking.
 * @param was his place in the room plan before
 */
export function releaseOverdue(draft: Draft, { id, status, stay }: Reservation, was: PlanStay | undefined): void {
  if (was?.status !== 'CHECKED_IN' || was.checkOut > draft.today) return;
  for (let day = was.checkOut; day <= draft.today; day++) {
    const hold = draft.holds.get(overdueId(id, day));
    const isStill = status === 'CHECKED_IN' && stay.checkOut <= day;
    if (!hold || (isStill && hold.roomType === stay.roomType)) continue;
    moveNights(draft, hold, 'held', -hold.rooms);
    draft.holds.delete(hold.id);
    if (!isStill) continue;
    // He has moved to a room of another type.
    const moved = { ...hold, roomType: stay.roomType };
    moveNights(draft, moved, 'held', hold.rooms);
    draft.holds.set(moved.id, moved);
  }
}
