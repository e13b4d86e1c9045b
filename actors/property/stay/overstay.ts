import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { departureOf, MAX_NIGHTS } from '../../../src/kernel/rules/stay-days.ts';
import { bookedNightOf } from '../../../src/money/rules/comp.ts';
import type { Night } from '../../../src/money/rules/night.ts';
import { priceOf } from '../../../src/money/rules/taxes.ts';
import {
  bookedNight,
  chargesBooked,
  chargesDuring,
  type QuotedCharges,
  taxesByDay,
} from '../../../src/rates/rules/night-charges.ts';
import { bookingTermsOf } from '../../../src/stay/rules/booking-terms.ts';
import { compAfter } from '../../../src/stay/rules/comp.ts';
import { earlyDepartureCharges, nightsGivenBack } from '../../../src/stay/rules/early-departure.ts';
import { after } from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { factOf } from '../facts.ts';
import { pickUp } from '../groups/group-nights.ts';
import { withExtrasOfNights } from '../money/extra-stays.ts';
import { loaded } from './cancel.ts';
import { overdueRate } from './overdue-rooms.ts';
import { chargesNow, sellsIn } from './terms.ts';
import { checkAction, record } from './transition.ts';

/**
 * Adds a night to a stay whose departure has passed while the guest is in house, at the best available rate of the day
 * (docs/concepts/rooms.md#overstays).
 * @throws DomainError INVALID_STATE, TOO_EARLY before the roll
 */
export function decideOverstay(
  draft: Draft,
  { reservationId }: CommandOf<'OVERSTAY'>,
  context: DecisionContext,
): Decision<'OVERSTAY'> {
  const before = loaded(draft, reservationId);
  checkAction(before, 'overstay');
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  const departure = departureOf(before.stay);
  const date = formatDay(departure);
  if (draft.today <= departure) throw new DomainError('TOO_EARLY', `The departure day is ${date}.`, { date });
  const next = withOverstay(draft, before, context);
  if (next === before) throw new DomainError('INVALID_STATE', `A stay has ${MAX_NIGHTS} nights at most.`);
  if (next.groupId !== undefined) pickUp(draft, next.groupId, { ...next.stay, checkIn: departure }, 1);
  record(draft, before, next, { at: context.now, by: context.subject });
  return { result: { reservation: next }, entity: next.id, facts: { bookings: [factOf('MODIFIED', next)] } };
}

/**
 * A stay with the nights since its departure, each at its own price, or at that of the last night where none was kept.
 * The same stay where there are none, or more than a stay can have. Writes nothing.
 */
export function withOverstay(draft: Draft, before: Reservation, context: DecisionContext): Reservation {
  const { now: at, subject: by } = context;
  const { today } = draft;
  const { dayUse, ...stay } = before.stay;
  const departure = departureOf(before.stay);
  // The night of day use is one that the guest has stayed on.
  const nights = before.nights.filter(({ day }) => day < departure);
  if (today <= departure || today - stay.checkIn > MAX_NIGHTS) return before;
  const { policies } = draft.property!.metadata;
  const whole = { ...stay, checkOut: today };
  // Nights of a stay in another currency have the taxes and fees of the last one.
  const charges = sellsIn(draft, before) ? chargesDuring(chargesNow(draft), whole) : undefined;
  const added: Night[] = [];
  for (let day = departure; day < today; day++) {
    added.push(overstayed(draft, before, day, charges));
  }
  const { earlyDeparture } = bookingTermsOf(before, policies);
  const why = { at, by, notes: `In house on ${formatDay(today)}` };
  const next = after(before, 'overstay', why, {
    stay: whole,
    taxedBy: taxesByDay(whole, (day) => (charges && day >= departure ? charges : chargesBooked(before.taxedBy, day))),
    nights: [...nights, ...added],
    ...(dayUse && before.comp && compAfter(before, added)),
    // A night that was given back and stayed all the same is not paid twice.
    ...(before.givenBack && {
      givenBack: nightsGivenBack(before, today),
      charges: earlyDepartureCharges(before, nights, today, earlyDeparture, today),
    }),
  });
  // As with the room: the guest has had them, whatever was left.
  return withExtrasOfNights(draft, before, next, context);
}

/** Price of a night that the guest stayed on. In another currency than the property's it is that of the last night. */
function overstayed(draft: Draft, before: Reservation, day: Day, charges: QuotedCharges | undefined): Night {
  const { stay } = before;
  const last = bookedNightOf(before.nights.at(-1)!);
  if (!charges) return { ...last, day };
  const ofDayUse = day < stay.checkOut ? before.checkIn?.nightRate : undefined;
  const rate = overdueRate(draft, before.id, day, stay) ?? ofDayUse ?? priceOf(last);
  return bookedNight(stay, day, rate, charges);
}
