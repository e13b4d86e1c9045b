import type { Day } from '../../src/kernel/rules/dates.ts';
import { businessDate, type Instant } from '../../src/kernel/rules/property-time.ts';
import { TIMEZONE, type Target } from './property.ts';

const NIGHT_AUDIT_HOUR = 3;

type Clocked = Pick<Target, 'client' | 'reservationUrl'>;

/** What the development clock shows (docs/reference/set-up.md#development-only); `undefined` where there is none. */
export async function serviceTime({ client, reservationUrl }: Clocked): Promise<Instant | undefined> {
  const answer = await client.call({ method: 'GET', url: `${reservationUrl}/dev/clock` });
  if (answer.status !== 200) return undefined;
  const { now }: { now: string } = JSON.parse(answer.text);
  return Date.parse(now);
}

/** The replayed property's business date by the service's clock, which in development may have been moved. */
export async function serviceDay(service: Clocked): Promise<Day> {
  const clock = { timezone: TIMEZONE, nightAuditHour: NIGHT_AUDIT_HOUR };
  return businessDate((await serviceTime(service)) ?? Date.now(), clock);
}
