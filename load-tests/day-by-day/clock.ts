import { type Day, formatDay } from '../../src/kernel/rules/dates.ts';
import { instantAt } from '../../src/kernel/rules/property-time.ts';
import { type Target, TIMEZONE } from '../replay/property.ts';
import { serviceTime } from '../replay/service-time.ts';

/** Start of a simulated day: the business date has rolled, and no guest has arrived. */
const MORNING = '10:00';
const ATTEMPTS = 5;

/**
 * Puts the clock of the whole service forward to the morning of a day, and waits for what falls due by then: no-shows,
 * the night audit, rooms for arrivals. A clock that is already later stays.
 * @throws Error when the service does not move its clock
 */
export async function goToMorning(target: Target, day: Day, operatorToken: string): Promise<void> {
  const morning = instantAt(day, MORNING, TIMEZONE);
  const url = `${target.reservationUrl}/dev/clock`;
  for (let attempt = 1; ; attempt += 1) {
    const now = await serviceTime(target);
    if (now === undefined) throw new Error('the service has no development clock: nothing can be lived on it');
    const seconds = Math.ceil((morning - now) / 1000);
    // When an answer was lost the clock has moved, but due work may still run: it is awaited.
    if (seconds <= 0 && attempt === 1) return;
    const headers = { authorization: `Bearer ${operatorToken}` };
    const body = JSON.stringify({ advanceSeconds: Math.max(0, seconds) });
    const answer = await target.client.call({ method: 'POST', url, body, headers }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (attempt === ATTEMPTS)
      throw new Error(`the clock does not go to ${formatDay(day)}: ${answer?.text.slice(0, 300) ?? 'no answer'}`);
  }
}
