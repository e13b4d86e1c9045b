import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import { incrementOf, type Minor, percentOf } from '../../kernel/rules/money.ts';
import type { Policies } from '../../properties/rules/property.ts';
import { GUARANTEES, type Instalment, type PlanGuarantee } from '../../rates/rules/plan-terms.ts';
import type { Reservation, Source } from './reservation.ts';

/** Kinds of guarantees of a reservation. */
export const BOOKING_GUARANTEES = [...GUARANTEES, 'CHANNEL'] as const;

/** Guarantee of one reservation; CHANNEL: the channel that sold it has or gets the money. */
export type BookingGuarantee =
  | { kind: 'PREPAY'; schedule: Instalment[] }
  | { kind: 'CARD' }
  | { kind: 'NONE'; releaseHour: string | null }
  | { kind: 'COMPANY' }
  | { kind: 'CHANNEL'; channel: string };

/** Everything due with the booking. */
const AT_ONCE: Instalment[] = [{ percent: 100, due: { at: 'BOOKING' } }];

/**
 * Guarantee of bookings of a plan (docs/reference/rates.md#guarantee-and-terms); a plan without one, or a group,
 * follows the property.
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

/** Guarantee of a reservation; those of earlier releases follow their property. */
export function guaranteeOf({ guarantee }: Pick<Reservation, 'guarantee'>, policies: Policies): BookingGuarantee {
  return guarantee ?? usualGuarantee(policies);
}

/** Due date of an instalment; one due with the booking has been due since the beginning of time. */
function dueDay({ due }: Instalment, checkIn: Day): Day {
  return 'daysBefore' in due ? checkIn - due.daysBefore : -Infinity;
}

/** Sum of the instalments due by a day, inclusive; rounded once, so that all instalments sum to the price. */
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

/** Percentage of a price in units of the currency; 100 percent is the exact price. */
function shareOf(total: Minor, percent: number, currency: string): Minor {
  return percent === 100 ? total : percentOf(total, percent, incrementOf(currency));
}

type Guaranteed = Pick<Reservation, 'guarantee' | 'companyId' | 'stay' | 'currency'>;

/**
 * Amount to be paid before a reservation is confirmed: all that is due today, at least the first instalment; nothing
 * with another guarantee.
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

/** Instalments of a reservation with amounts; they sum to the guaranteed share of the price. */
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

/** Whether an accepted card is enough for now, because nothing is due yet. */
export function isCardEnough(guarantee: BookingGuarantee, checkIn: Day, today: Day): boolean {
  if (guarantee.kind === 'CARD') return true;
  return guarantee.kind === 'PREPAY' && guarantee.schedule.every((one) => dueDay(one, checkIn) > today);
}

/**
 * Whether a reservation fulfils its guarantee: its deposit is paid, or the provider has accepted its card and nothing
 * is due yet.
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
