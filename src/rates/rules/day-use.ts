import { DomainError, type FieldError } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { type Instant, instantAt } from '../../kernel/rules/property-time.ts';
import { lengthFault, type StayFields } from '../../kernel/rules/sale-window.ts';
import { departureOf, type StayDays } from '../../kernel/rules/stay-days.ts';
import type { PropertyMetadata } from '../../properties/rules/property.ts';
import type { RatePlan } from './rate-plan.ts';
import type { Stay } from './stay.ts';

/** Stays whose guest leaves on the day of arrival (docs/reference/day-use.md#day-use). */

/** Price of day use of a room type; `undefined` where the plan does not sell it. */
export function dayUseRate({ dayUse = [] }: Pick<RatePlan, 'dayUse'>, roomType: string): Minor | undefined {
  const own = dayUse.find((rate) => rate.roomType === roomType);
  return (own ?? dayUse.find((rate) => rate.roomType === undefined))?.rate;
}

/** Whether a plan sells day use at all. */
export const sellsDayUse = ({ dayUse = [] }: Pick<RatePlan, 'dayUse'>): boolean => dayUse.length > 0;

/** Refuses equal dates where no plan sells day use. @throws DomainError VALIDATION_FAILED */
export function checkDayUse(
  plans: readonly Pick<RatePlan, 'dayUse'>[],
  stay: Pick<Stay, 'dayUse'>,
  fields: StayFields,
): void {
  if (!stay.dayUse || plans.some(sellsDayUse)) return;
  const errors = [{ ...fields.checkOut, ...lengthFault(0)! }];
  throw new DomainError('VALIDATION_FAILED', 'A stay without a night is sold by plans with day use only.', {
    errors,
  });
}

/** End of day use where the property does not say when. */
const DAY_USE_UNTIL = '18:00';

/** Local time by which a guest leaves. */
export function latestDeparture(
  { dayUse }: Pick<Stay, 'dayUse'>,
  { checkOutTime, dayUseUntil = DAY_USE_UNTIL }: Pick<PropertyMetadata, 'checkOutTime' | 'dayUseUntil'>,
): string {
  return dayUse ? dayUseUntil : checkOutTime;
}

/** Moment by which a guest leaves. */
export function leavesBy(stay: StayDays, metadata: PropertyMetadata): Instant {
  return instantAt(departureOf(stay), latestDeparture(stay, metadata), metadata.timezone);
}

/** Refuses day use whose end has passed. @throws DomainError VALIDATION_FAILED */
export function checkDayIsLeft(stay: StayDays, metadata: PropertyMetadata, fields: StayFields, now: Instant): void {
  const fault = dayOver(stay, metadata, now);
  if (!fault) return;
  throw new DomainError('VALIDATION_FAILED', 'The day is over.', { errors: [{ ...fields.checkIn, ...fault }] });
}

/** The fault of day use whose end has passed. */
export function dayOver(
  stay: StayDays,
  metadata: PropertyMetadata,
  now: Instant,
): Pick<FieldError, 'code' | 'detail'> | undefined {
  if (!stay.dayUse || now < leavesBy(stay, metadata)) return undefined;
  return { code: 'IN_THE_PAST', detail: `day use ends at ${latestDeparture(stay, metadata)}` };
}
