import type { PropertySummary } from '../api.ts';
import { startOfBusinessDate } from '../grid/days.ts';
import type { BoardStay } from './shapes.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Whether a guest who has not come may be marked a no-show: check-in time of the arrival day and the grace are over. */
export function isLateArrival(
  { status, checkIn }: Pick<BoardStay, 'status' | 'checkIn'>,
  property: Pick<PropertySummary, 'timezone' | 'checkInTime' | 'noShowGraceMinutes'>,
  now: number,
): boolean {
  if (status !== 'CONFIRMED') return false;
  const [hours = 0, minutes = 0] = property.checkInTime.split(':').map(Number);
  const expected = startOfBusinessDate(checkIn, property.timezone, hours + minutes / MINUTES);
  return now >= expected + property.noShowGraceMinutes * MINUTE_MS;
}
