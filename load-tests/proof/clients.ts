import { randomUUID } from 'node:crypto';

import type { BlackboxProperty, Wish } from '../../test/blackbox/property.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { HttpClient } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';

/** Far more than a restart needs. */
const ATTEMPTS = 1_000;

/** A booking that was acknowledged. */
export type Booked = { propertyId: string; key: string; reservationId: string };
/** Results of the clients. */
export type Tally = { acknowledged: Booked[]; refused: number; repeats: number; strange: string[] };

export const emptyTally = (): Tally => ({ acknowledged: [], refused: 0, repeats: 0, strange: [] });

const SAME_NIGHTS = (): Wish => ({ from: 30, nights: 3 });

/** Books until it is stopped; a request is repeated under its key until it is decided. */
export async function keepBooking(
  service: Service,
  next: () => BlackboxProperty,
  tally: Tally,
  stop: { now: boolean },
  wish: () => Wish = SAME_NIGHTS,
  pauseMs = 0,
): Promise<void> {
  const headers = { authorization: `Bearer ${service.token('demo', 'STAFF')}`, 'x-tenant-id': 'demo' };
  using client = new HttpClient({ sockets: 1, headers });
  const url = `${service.dev.reservationUrl}/api/v1/reservations`;
  while (!stop.now) {
    const property = next();
    const key = randomUUID();
    const body = JSON.stringify(property.wish(wish()));
    const call = { method: 'POST', url, body, headers: { 'idempotency-key': key } };
    const repeated = (): unknown => (tally.repeats += 1);
    const answer = await callUntilDecided(client, call, repeated, ATTEMPTS);
    const { code, reservationId } = JSON.parse(answer.text) as { code?: string; reservationId?: string };
    if (answer.status === 201 && reservationId)
      tally.acknowledged.push({ propertyId: property.propertyId, key, reservationId });
    else if (code === 'ROOM_NOT_AVAILABLE') tally.refused += 1;
    else tally.strange.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    if (pauseMs > 0) await pause(pauseMs);
  }
}
