import { randomUUID } from 'node:crypto';

import { pause } from '../../test/blackbox/waiting.ts';
import { type Answer, HttpClient } from '../client/http.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { ClusterWorld } from './cluster-world.ts';
import { dayOf, type SmallProperty } from './properties.ts';

const FIRST_NIGHT = 30;
const NIGHTS = 3;
const BETWEEN_TRIES_MS = 10;

/** Books at chosen nodes. */
export class Booker implements Disposable {
  readonly #http: HttpClient;

  /** @param timeoutMs limit of one attempt */
  constructor(world: ClusterWorld, { sockets = 1, timeoutMs = 10_000 } = {}) {
    const headers = { authorization: `Bearer ${world.token('STAFF')}`, 'x-tenant-id': world.tenantId };
    this.#http = new HttpClient({ sockets, headers, timeoutMs });
  }

  /** One attempt. @throws Error of the connection, or for any answer but a 201 */
  async book(node: ClusterNode, property: SmallProperty, { paid = true, key = randomUUID() } = {}): Promise<Answer> {
    const call = { method: 'POST', url: `${node.url('RESERVATION')}/api/v1/reservations` };
    const body = bookingBody(property, randomUUID(), paid);
    const answer = await this.#http.call({ ...call, body, headers: { 'idempotency-key': key } });
    if (answer.status === 201) return answer;
    throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
  }

  /**
   * Books under one key at these nodes, round-robin, until it succeeds.
   * @returns milliseconds including all repeats
   */
  async bookUntilDone(
    nodes: readonly ClusterNode[],
    property: SmallProperty,
    withinMs: number,
    paid = true,
  ): Promise<number> {
    const began = performance.now();
    const key = randomUUID();
    const body = bookingBody(property, key, paid);
    for (let at = 0; ; at++) {
      const url = `${nodes[at % nodes.length]!.url('RESERVATION')}/api/v1/reservations`;
      const call = { method: 'POST', url, body, headers: { 'idempotency-key': key } };
      const answer = await this.#http.call(call).catch(() => undefined);
      const took = performance.now() - began;
      if (answer?.status === 201) return took;
      if (took > withinMs)
        throw new Error(`no booking in ${withinMs} ms: ${answer?.status} ${answer?.text.slice(0, 300)}`);
      await pause(BETWEEN_TRIES_MS);
    }
  }

  [Symbol.dispose](): void {
    this.#http[Symbol.dispose]();
  }
}

/** @param name unique name of the guest */
export function bookingBody(property: SmallProperty, name: string, paid = true): string {
  return JSON.stringify({
    propertyId: property.propertyId,
    guestInfo: { firstName: 'Ada', lastName: `Guest ${name}`, email: `ada.${name}@example.com` },
    stayDetails: {
      checkIn: dayOf(property, FIRST_NIGHT),
      checkOut: dayOf(property, FIRST_NIGHT + NIGHTS),
      adults: 2,
      roomType: 'DLX',
    },
    ...(paid && { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } }),
  });
}

/** A paid booking of one night. @param name unique name of the guest */
export const oneNightBooking = (property: SmallProperty, night: number, name: string | number) => ({
  propertyId: property.propertyId,
  guestInfo: { firstName: 'Ada', lastName: `Guest ${name}`, email: `ada.${name}@example.com` },
  stayDetails: {
    checkIn: dayOf(property, night),
    checkOut: dayOf(property, night + 1),
    adults: 1,
    roomType: 'STD',
  },
  paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
});
