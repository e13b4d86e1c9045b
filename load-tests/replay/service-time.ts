import type { Day } from '../../src/kernel/rules/dates.ts';
import { businessDate, type Instant } from '../../src/kernel/rules/property-time.ts';
import { TIMEZONE, type Target } from './property.ts';

const NIGHT_AUDIT_HOUR = 3;

type Clocked = Pick<Target, 'client' | 'reservationUrl'>;

/** Time of the development clock (docs/reference/set-up.md#development-only); `undefined` without one. */
export async function serviceTime({ client, reservationUrl }: Clocked): Promise<Instant | undefined> {
  const answer = await client.call({ method: 'GET', url: `${reservationUrl}/dev/clock` });
  if (answer.status !== 200) return undefined;
  const { now }: { now: string } = JSON.parse(answer.text);
  return Date.parse(now);
}

/** Business date of the replayed property by the service's clock, which development may have moved. */
export async function serviceDay(service: Clocked): Promise<Day> {
  const clock = { timezone: TIMEZONE, nightAuditHour: NIGHT_AUDIT_HOUR };
  return businessDate((await serviceTime(service)) ?? Date.now(), clock);
}
