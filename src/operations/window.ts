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
  const errors: FieldError[] = [];
  if (checkIn < view.businessDate)
    errors.push({
      ...names.checkIn,
      code: 'IN_THE_PAST',
      detail: `today is ${formatDay(view.businessDate)} at the property`,
    });
  if (checkOut - 1 > view.lastNight)
    errors.push({
      ...names.checkOut,
      code: 'BEYOND_HORIZON',
      detail: `the last night on sale is ${formatDay(view.lastNight)}`,
    });
  if (errors.length > 0)
    throw new Refusal('VALIDATION_FAILED', 'The stay is outside of what can be booked.', { errors });
}
