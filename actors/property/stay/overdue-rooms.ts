import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { endOfBusinessDay, type Instant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import { MAX_NIGHTS } from '../../../src/kernel/rules/stay-days.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import { adultsOnly } from '../../../src/rates/rules/occupancy.ts';
import { listPriceThen } from '../../../src/rates/rules/price-basis.ts';
import { BAR } from '../../../src/rates/rules/rate-plan.ts';
import { partyOfPersons, personsOf, type Stay } from '../../../src/rates/rules/stay.ts';
import type { PlanStay } from '../../../src/rooms/rules/room-plan.ts';
import type { Hold } from '../../../src/stay/rules/hold.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { moveNights } from '../nights.ts';
import { nightUnder, pricingOf } from '../rates/plans.ts';
import type { State } from '../state.ts';
import { basisOfNow } from './promised-basis.ts';

/** How long the price of a stayed overdue night is kept: no stay is longer. */
const REMEMBERED_MS = MAX_NIGHTS * 86_400_000;

/** Time from which guests who leave today are overdue. */
export function departureTime({ metadata }: Property, today: Day): Instant {
  return instantAt(today, metadata.checkOutTime, metadata.timezone);
}

/** Whether a guest should have left by the end of a day. @param isLate whether that day's check-out time has passed */
function isOverdue({ status, checkOut }: PlanStay, day: Day, isLate: boolean): boolean {
  return status === 'CHECKED_IN' && (checkOut < day || (isLate && checkOut === day));
}

/** Id of the hold that keeps the room of an overdue guest for one night. */
function overdueId(reservationId: ReservationId, day: Day): string {
  return derivedId(reservationId, 'overdue', String(day));
}

/** Whether the room of a guest who has not left is held for the guest tonight. */
export function isHeldTonight({ holds, today }: Pick<State, 'holds' | 'today'>, id: ReservationId): boolean {
  return (holds.get(overdueId(id, today))?.rooms ?? 0) > 0;
}

/** Whether an overdue guest's room is still on sale tonight. */
export function hasOverdue({ roomPlan, holds, today }: Pick<State, 'roomPlan' | 'holds' | 'today'>): boolean {
  for (const stay of roomPlan.stays)
    if (isOverdue(stay, today, true) && !holds.get(overdueId(stay.reservationId, today))) return true;
  return false;
}

/**
 * Takes rooms of overdue guests off sale for the night (docs/concepts/rooms.md#overstays), and keeps the night's price
 * for the case that they stay. As after a cut in capacity the night may have a shortfall, and then sells nothing (I1).
 */
export function holdOverdueRooms(draft: Draft, now: Instant): void {
  const { today, property } = draft;
  const isLate = now >= departureTime(property!, today);
  for (const stay of draft.roomPlan.stays)
    if (isOverdue(stay, today, isLate)) holdRoom(draft, stay, today, { now, rooms: 1 });
}

/** Before the business date moves on to `next`: keeps the prices of the nights that overdue guests have stayed. */
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
  const overdue = priceOfNight(draft, roomType, day);
  const hold: Hold = { id, kind: 'EXPLICIT', ...night, createdAt: now, expiresAt, overdue };
  if (rooms > 0) moveNights(draft, hold, 'held', rooms);
  draft.holds.set(id, hold);
  draft.created.add(id);
}

/** Best available rate of a night for any guests; without rates where it has no price. */
function priceOfNight(draft: Draft, roomType: string, day: Day): NonNullable<Hold['overdue']> {
  const slab = draft.slab(roomType);
  const plan = draft.plans.get(BAR);
  if (!slab?.has(day) || !plan) return { rates: [] };
  const pricing = pricingOf(draft.plans, plan);
  const { metadata } = draft.property!;
  const length = draft.roomTypes.get(roomType)?.maxGuests ?? 1;
  const rates = Array.from({ length }, (_, index) => {
    const terms = { party: adultsOnly(index + 1), nights: 1, ahead: 0 };
    return nightUnder(slab, day, pricing, metadata, terms)?.rate;
  });
  if (!rates.every((rate) => rate !== undefined)) return { rates: [] };
  if (!pricing.lineage.at(-1)!.occupancyPricing) return { rates };
  const night = { ...partyOfPersons(1), roomType, rateCode: BAR, checkIn: day, checkOut: day + 1 };
  return { rates, basis: basisOfNow(draft, slab, night, pricing, rates) };
}

/** Price of a night that a guest has stayed beyond the departure; `undefined` where none was stored. */
export function overdueRate(draft: Draft, reservationId: ReservationId, day: Day, stay: Stay): Minor | undefined {
  const { rates = [], basis } = draft.holds.get(overdueId(reservationId, day))?.overdue ?? {};
  if (basis) return listPriceThen(basis, basis.nights[0]!, { ...stay, checkIn: day, checkOut: day + 1 });
  return rates[Math.min(personsOf(stay), rates.length) - 1];
}

/**
 * Nights for which a guest has the room: also tonight, when it is held for the guest and the night has no shortfall.
 * The guest can then extend the stay as if it had been booked.
 */
export function stayWithTonight(draft: Draft, { id, stay }: Reservation): Stay {
  const { today, property } = draft;
  const hold = draft.holds.get(overdueId(id, today));
  const free = draft.slab(stay.roomType)?.free(today, property!.metadata.policies.overbookingLimit) ?? -1;
  return hold?.overdue && hold.roomType === stay.roomType && free >= 0 ? { ...stay, checkOut: today + 1 } : stay;
}

/**
 * Releases the holds of a guest who is no longer overdue: the room is free, or belongs to the booking.
 * @param was the guest's place in the room plan before
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
    // The guest has moved to a room of another type.
    const moved = { ...hold, roomType: stay.roomType };
    moveNights(draft, moved, 'held', hold.rooms);
    draft.holds.set(moved.id, moved);
  }
}
