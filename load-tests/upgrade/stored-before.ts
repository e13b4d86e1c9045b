import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { differences, lasting, type Reading } from '../../test/releases/reading.ts';
import type { HttpClient } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { dayOf, type SmallProperty } from '../cluster/properties.ts';
import type { Fault } from '../nemesis/fault.ts';

/** Nights of the stays. */
const FROM = 60;
const NIGHTS = 3;
const ROOM_TYPE = 'STD';

/** How a stay is changed after each step, and the members of its answer that follow from the change. */
const CHANGES = {
  /** Nothing: only read. */
  none: { members: [], body: undefined },
  requests: {
    members: ['specialRequests', 'updatedAt', 'version', 'timeline'],
    body: (n: number) => ({ specialRequests: [`after step ${n}`] }),
  },
  nights: {
    members: ['stayDetails', 'financial', 'updatedAt', 'version', 'timeline', 'payments'],
    body: (n: number, property: SmallProperty) => ({
      stayDetails: { checkOut: dayOf(property, FROM + NIGHTS + (n % 2)) },
    }),
  },
} as const;
type Change = keyof typeof CHANGES;
type Stored = { property: SmallProperty; path: string; change: Change };

/**
 * What a release has stored before the upgrade begins, apart from the clients of the run: after each step some of it is
 * changed by whichever build owns it then, and all of it is read from each node. Whatever a change is not about must be
 * as the release said it first.
 */
export class StoredBefore {
  readonly lost: string[] = [];
  readonly #world: ClusterWorld;
  readonly #http: HttpClient;
  readonly #stored: Stored[] = [];
  #before: Reading = {};
  #steps = 0;

  private constructor(world: ClusterWorld, http: HttpClient) {
    [this.#world, this.#http] = [world, http];
  }

  /** @throws Error when the release refuses any of it */
  static async open(
    world: ClusterWorld,
    http: HttpClient,
    properties: readonly SmallProperty[],
  ): Promise<StoredBefore> {
    const before = new StoredBefore(world, http);
    for (const property of properties) await before.#store(property);
    before.#before = await before.#read(0);
    return before;
  }

  /** Steps of an upgrade, after each of which what was stored is looked at. */
  watching(steps: readonly Fault[]): Fault[] {
    return steps.map((step) => ({
      ...step,
      run: async (of) => {
        await step.run(of);
        await this.#look(step.name);
      },
    }));
  }

  async #store(property: SmallProperty): Promise<void> {
    const { propertyId } = property;
    const closed = { startDate: dayOf(property, 90), endDate: dayOf(property, 92), roomType: ROOM_TYPE };
    await this.#send('PUT', '/api/v1/rates/restrictions', { propertyId, ...closed, stopSell: true });
    const plan = { code: 'CORP', name: 'Companies', strategy: 'FIXED', parentCode: 'BAR', adjustmentPercent: -12 };
    await this.#send('POST', '/api/v1/rates/plans', { propertyId, ...plan });
    for (const change of Object.keys(CHANGES) as Change[]) {
      const { reservationId } = await this.#send('POST', '/api/v1/reservations', {
        propertyId,
        guestInfo: {
          firstName: 'Ada',
          lastName: `Byron ${change}`,
          email: `${propertyId}-${change}@example.com`,
          phone: '+44 20 7946 0000',
          preferences: { floorPreference: 'HIGH', bedType: 'TWIN' },
        },
        stayDetails: {
          checkIn: dayOf(property, FROM),
          checkOut: dayOf(property, FROM + NIGHTS),
          adults: 2,
          children: 1,
          roomType: ROOM_TYPE,
          rateCode: 'FLEX',
        },
        paymentDetails: {
          method: 'CREDIT_CARD',
          cardToken: 'tok_visa',
          billingAddress: { name: 'A. Byron', city: 'London', country: 'GB' },
        },
        specialRequests: ['a quiet room', 'two pillows'],
        source: { channel: 'PHONE', medium: 'call', campaign: 'spring' },
      });
      this.#stored.push({ property, path: `/api/v1/reservations/${String(reservationId)}`, change });
    }
  }

  async #look(step: string): Promise<void> {
    this.#steps += 1;
    try {
      for (const { property, path, change } of this.#stored) {
        const modifications = CHANGES[change].body?.(this.#steps, property);
        if (modifications) await this.#send('PUT', path, { modifications, reason: step });
      }
      for (const [at, { name }] of this.#world.nodes.entries())
        for (const [path, { now, before }] of Object.entries(differences(await this.#read(at), this.#before)))
          this.lost.push(`after ${step}, ${name}: ${path}: ${membersOf(now, before)}`);
    } catch (error) {
      this.lost.push(`after ${step}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** @param at of the node that answers */
  async #read(at: number): Promise<Reading> {
    const reading: Reading = {};
    for (const { path, change } of this.#stored) {
      const answer = lasting((await this.#send('GET', path, undefined, at)) as Reading);
      const members: readonly string[] = CHANGES[change].members;
      reading[path] = Object.fromEntries(
        Object.entries(answer as object).filter(([name]) => !members.includes(name)),
      );
    }
    for (const { propertyId } of new Set(this.#stored.map(({ property }) => property)))
      for (const path of [
        `/api/v1/tenants/${this.#world.tenantId}/properties/${propertyId}`,
        `/api/v1/tenants/${this.#world.tenantId}/properties/${propertyId}/room-types`,
        `/api/v1/rates/plans?propertyId=${propertyId}`,
      ])
        reading[path] = lasting((await this.#send('GET', path, undefined, at)) as Reading);
    return reading;
  }

  /** @throws Error for another answer than success */
  async #send(method: string, path: string, body?: unknown, at = this.#steps): Promise<Record<string, unknown>> {
    const node = this.#world.nodes[at % this.#world.nodes.length]!;
    const url = node.url(path.startsWith('/api/v1/rates') ? 'RATE' : 'RESERVATION') + path;
    const headers = { 'idempotency-key': randomUUID() };
    const call = { method, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const { status, text } = await callUntilDecided(this.#http, call, () => undefined);
    if (status < 200 || status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** Members that differ, and how. */
function membersOf(now: unknown, before: unknown): string {
  if (!isObject(now) || !isObject(before)) return `${JSON.stringify(now)} instead of ${JSON.stringify(before)}`;
  return Object.keys(before)
    .filter((name) => !isDeepStrictEqual(now[name], before[name]))
    .map((name) => `${name} is ${JSON.stringify(now[name])} instead of ${JSON.stringify(before[name])}`)
    .join(', ');
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
