import { type Day, formatDay } from './dates.ts';
import { type FieldError, DomainError } from './domain-error.ts';
import { MAX_NIGHTS } from './stay-days.ts';

/** The nights on sale: from the business date to the end of the horizon (docs/reference/api.md#dates-and-times). */
export type SaleWindow = { businessDate: Day; lastNight: Day };

/** The fault of a stay of so many nights. */
export function lengthFault(nights: number): { code: string; detail: string } | undefined {
  if (nights === 0) return { code: 'ZERO_NIGHTS', detail: 'is the day of check-in: a stay has at least one night' };
  if (nights < 0) return { code: 'REVERSED', detail: 'is before check-in' };
  if (nights <= MAX_NIGHTS) return undefined;
  return { code: 'TOO_MANY_NIGHTS', detail: `a stay has at most ${MAX_NIGHTS} nights` };
}

type Field = Pick<FieldError, 'pointer' | 'parameter'>;

/** How a request names its fields: by pointer in bodies, by name in queries. */
export type StayFields = { checkIn: Field; checkOut: Field };
type NightFields = { start: Field; end: Field };

/**
 * Checks the limits of a stay that only the property knows: not in the past, not beyond its horizon.
 * @throws DomainError VALIDATION_FAILED with every wrong field
 */
export function checkStayDays(
  window: SaleWindow,
  { checkIn, checkOut }: { checkIn: Day; checkOut: Day },
  fields: StayFields,
): void {
  const errors = outside(window, checkIn, checkOut - 1, { start: fields.checkIn, end: fields.checkOut });
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The stay is outside of what can be booked.', { errors });
}

/** The same for a range of nights, both inclusive. @throws DomainError VALIDATION_FAILED with every wrong field */
export function checkNights(
  window: SaleWindow,
  { start, end }: { start: Day; end: Day },
  fields: NightFields = { start: { pointer: '/startDate' }, end: { pointer: '/endDate' } },
): void {
  const errors = outside(window, start, end, fields);
  if (errors.length > 0)
    throw new DomainError('VALIDATION_FAILED', 'The nights are outside of what can be set.', { errors });
}

/** Faults of a range of nights, both inclusive, field by field. */
export function outside(
  { businessDate, lastNight }: SaleWindow,
  start: Day,
  end: Day,
  fields: NightFields,
): FieldError[] {
  const errors: FieldError[] = [];
  const today = `today is ${formatDay(businessDate)} at the property`;
  if (start < businessDate) errors.push({ ...fields.start, code: 'IN_THE_PAST', detail: today });
  const last = `the last night on sale is ${formatDay(lastNight)}`;
  if (end > lastNight) errors.push({ ...fields.end, code: 'BEYOND_HORIZON', detail: last });
  return errors;
}
