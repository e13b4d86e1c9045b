import { type Day, formatDay } from '../domain/dates.ts';
import { type FieldError, Refusal } from '../domain/refusal.ts';
import type { PropertyView } from '../ports/properties.ts';

/** How a request names its fields: by pointer in bodies, by name in queries. */
export type FieldNames = {
  checkIn: Pick<FieldError, 'pointer' | 'parameter'>;
  checkOut: Pick<FieldError, 'pointer' | 'parameter'>;
};

/**
 * Hard bounds of a stay that only the property knows: not in the past, not beyond its horizon (contracts.md 6).
 * @throws Refusal VALIDATION_FAILED with every wrong field
 */
export function checkBounds(view: PropertyView, checkIn: Day, checkOut: Day, names: FieldNames): void {
  const errors = outside(view, checkIn, checkOut - 1, { start: names.checkIn, end: names.checkOut });
  if (errors.length > 0)
    throw new Refusal('VALIDATION_FAILED', 'The stay is outside of what can be booked.', { errors });
}

type Ends = Record<'start' | 'end', Pick<FieldError, 'pointer' | 'parameter'>>;

/**
 * The same for nights that are set, both inclusive.
 * @throws Refusal VALIDATION_FAILED with every wrong field
 */
export function checkNights(view: PropertyView, start: Day, end: Day, names: Ends): void {
  const errors = outside(view, start, end, names);
  if (errors.length > 0)
    throw new Refusal('VALIDATION_FAILED', 'The nights are outside of what can be set.', { errors });
}

function outside({ businessDate, lastNight }: PropertyView, start: Day, end: Day, names: Ends): FieldError[] {
  const errors: FieldError[] = [];
  const today = `today is ${formatDay(businessDate)} at the property`;
  if (start < businessDate) errors.push({ ...names.start, code: 'IN_THE_PAST', detail: today });
  const last = `the last night on sale is ${formatDay(lastNight)}`;
  if (end > lastNight) errors.push({ ...names.end, code: 'BEYOND_HORIZON', detail: last });
  return errors;
}
