import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, percentOf } from '../../kernel/rules/money.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { GUARANTEES, type Instalment, type PlanGuarantee } from '../../rates/rules/plan-terms.ts';
import type { Reservation, Source } from './reservation.ts';

/** What a reservation may be guaranteed by. */
export const BOOKING_GUARANTEES = [...GUARANTEES, 'CHANNEL'] as const;

/** What makes one reservation certain; CHANNEL: the channel that sold it has the money, or gets it. */
export type BookingGuarantee =
  | { kind: 'PREPAY'; schedule: Instalment[] }
  | { kind: 'CARD' }
  | { kind: 'NONE'; releaseHour: string | null }
  | { kind: 'COMPANY' }
  | { kind: 'CHANNEL'; channel: string };

/** All of it with the booking. */
const AT_ONCE: Instalment[] = [{ percent: 100, due: { at: 'BOOKING' } }];

/**
 * What a booking of a plan is guaranteed by (docs/reference/rates.md#guarantee-and-terms); a plan that says nothing,
 * or a group, follows the property.
 */
export function guaranteeUnder(
  plan: PlanGuarantee | undefined,
  policies: Policies,
  source: Source,
): BookingGuarantee {
  if (source.collectedBy === 'CHANNEL') return { kind: 'CHANNEL', channel: source.channel ?? 'OTA' };
  switch (plan?.guarantee) {
    case undefined:
      return usualGuarantee(policies);
    case 'PREPAY':
      return { kind: 'PREPAY', schedule: plan.depositSchedule ?? AT_ONCE };
    case 'CARD':
      return { kind: 'CARD' };
    case 'NONE':
      return { kind: 'NONE', releaseHour: plan.releaseHour ?? null };
    case 'COMPANY':
      return { kind: 'COMPANY' };
  }
}

function usualGuarantee({ paymentRequired, depositPercent: percent }: Policies): BookingGuarantee {
  if (!paymentRequired) return { kind: 'NONE', releaseHour: null };
  return { kind: 'PREPAY', schedule: percent > 0 ? [{ percent, due: { at: 'BOOKING' } }] : [] };
}

/** Of a reservation; those of earlier releases follow their property. */
export function guaranteeOf({ guarantee }: Pick<Reservation, 'guarantee'>, policies: Policies): BookingGuarantee {
  return guarantee ?? usualGuarantee(policies);
}

/** From which day on an instalment is due; with the booking: from the beginning of time. */
export function dueDay({ due }: Instalment, checkIn: Day): Day {
  return 'daysBefore' in due ? checkIn - due.daysBefore : -Infinity;
}

/** What instalments take of a price until a day, both included; rounded once, so that all of them are the whole. */
export function dueBy(
  schedule: readonly Instalment[],
  total: Minor,
  { stay: { checkIn }, currency }: Pick<Reservation, 'stay' | 'currency'>,
  day: Day,
): Minor {
  const due = schedule.filter((instalment) => dueDay(instalment, checkIn) <= day);
  return shareOf(
    total,
    sum(due, ({ percent }) => percent),
    currency,
  );
}

/** Part of a price in what the currency has; 100 percent are all of it, whatever it is. */
function shareOf(total: Minor, percent: number, currency: string): Minor {
  return percent === 100 ? total : percentOf(total, percent, incrementOf(currency));
}

type Guaranteed = Pick<Reservation, 'guarantee' | 'companyId' | 'stay' | 'currency'>;

/**
 * What has to be paid before a reservation is confirmed: all that is due today, the first instalment at least; nothing
 * where it is guaranteed otherwise.
 */
export function depositOf(of: Guaranteed, total: Minor, policies: Policies, today: Day): Minor {
  const { checkIn } = of.stay;
  const guarantee = guaranteeOf(of, policies);
  switch (guarantee.kind) {
    case 'CARD':
      return total;
    case 'COMPANY':
      return of.companyId === undefined ? total : 0;
    case 'PREPAY': {
      const first = Math.min(...guarantee.schedule.map((instalment) => dueDay(instalment, checkIn)));
      return dueBy(guarantee.schedule, total, of, Math.max(today, first));
    }
    case 'NONE':
    case 'CHANNEL':
      return 0;
  }
}

/** The instalments of a reservation, each with its share of the price; they sum to the share of all. */
export function instalmentsOf(
  { guarantee, stay: { checkIn }, currency }: Pick<Reservation, 'guarantee' | 'stay' | 'currency'>,
  total: Minor,
): (Instalment & { amount: Minor; dueDate: Day | null })[] {
  if (guarantee?.kind !== 'PREPAY') return [];
  const inOrder = guarantee.schedule.toSorted((a, b) => dueDay(a, checkIn) - dueDay(b, checkIn));
  let percent = 0;
  return inOrder.map((instalment) => {
    const before = shareOf(total, percent, currency);
    percent += instalment.percent;
    const day = dueDay(instalment, checkIn);
    const amount = shareOf(total, percent, currency) - before;
    return { ...instalment, amount, dueDate: Number.isFinite(day) ? day : null };
  });
}

/** Whether a card that the provider has taken is enough for now: nothing is due yet. */
export function isCardEnough(guarantee: BookingGuarantee, checkIn: Day, today: Day): boolean {
  if (guarantee.kind === 'CARD') return true;
  return guarantee.kind === 'PREPAY' && guarantee.schedule.every((one) => dueDay(one, checkIn) > today);
}

/**
 * Whether a reservation has what its guarantee wants: its deposit is paid, or the provider has taken its card and
 * nothing is due yet.
 */
export function isGuaranteed(
  { paid, billing, ...of }: Guaranteed & Pick<Reservation, 'paid' | 'billing'>,
  total: Minor,
  policies: Policies,
  today: Day,
): boolean {
  if (paid >= depositOf(of, total, policies, today)) return true;
  return billing?.isCardTaken === true && isCardEnough(guaranteeOf(of, policies), of.stay.checkIn, today);
}
