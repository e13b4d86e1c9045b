import fc from 'fast-check';
import type { Test } from 'tap';

import type { ChannelBehaviour } from '../../services/fake-channel/behaviour.ts';
import { CHANNEL_PROTOCOLS, ChannelWorld } from '../channel-world.ts';
import { must } from '../property.ts';
import type { Service } from '../service.ts';
import { pause, until } from '../waiting.ts';

const NIGHTS = 30;
/** Nights that change: few, so that changes meet. */
const BUSY = 6;
const PRICE = 100;
const CHAOS_MS = 110_000;

/** Misbehaviour after which a channel may have what it was sent, or not. */
const FAULTS: readonly ChannelBehaviour[] = [
  { kind: 'status', status: 500, times: 1 },
  { kind: 'html', times: 1 },
  { kind: 'large', times: 1 },
  { kind: 'redirect', times: 1 },
  { kind: 'slow', seconds: 0.4, times: 1 },
];

const step = fc.record({
  what: fc.constantFrom('price', 'price', 'book', 'book', 'cancel', 'restrict', 'fault', 'fault', 'outage'),
  roomType: fc.constantFrom('TWN', 'DBL'),
  night: fc.nat(BUSY - 1),
  rate: fc.constantFrom(100, 110, 120),
  minStay: fc.constantFrom(null, 2, 3),
  stopSell: fc.constantFrom(null, true),
  fault: fc.constantFrom(...FAULTS),
  pauseMs: fc.nat(400),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a property does while its channel is in and out of order. */
class Chaos {
  readonly world: ChannelWorld;
  readonly rates: Record<string, number[]>;
  #booked: string[] = [];
  #isDown = false;

  constructor(world: ChannelWorld) {
    this.world = world;
    this.rates = {
      TWN: Array.from({ length: NIGHTS }, () => PRICE),
      DBL: Array.from({ length: NIGHTS }, () => PRICE),
    };
  }

  async take({ what, roomType, night, rate, minStay, stopSell, fault }: Step): Promise<void> {
    const { world } = this;
    switch (what) {
      case 'price':
        await world.priced([roomType, night, night + 2, rate]);
        this.rates[roomType]!.fill(rate, night, night + 3);
        return;
      case 'book': {
        const answer = await world.property.book({ from: night, nights: 2, roomType });
        if (answer.status === 201) this.#booked.push(answer.json.reservationId);
        return;
      }
      case 'cancel': {
        const id = this.#booked.pop();
        const body = { reason: 'GUEST_REQUEST' };
        if (id !== undefined) must(await world.service.reservations('DELETE', `/${id}`, { body }), 200);
        return;
      }
      case 'restrict':
        return world.restricted(night, night, { roomType, minStayArrival: minStay, stopSell });
      case 'fault':
        if (!this.#isDown) await world.channel.behave(fault);
        return;
      case 'outage':
        await (this.#isDown ? world.channel.listen() : world.channel.kill());
        this.#isDown = !this.#isDown;
    }
  }

  async end(): Promise<void> {
    if (this.#isDown) await this.world.channel.listen();
    await this.world.channel.behave({ kind: 'normal' });
    await until('the channel was sent everything', 120_000, async () =>
      (await this.world.state()).queued === 0 ? true : undefined,
    );
    await this.world.quiet();
  }
}

/**
 * Random changes while a channel fails in every way in which it may have stored what it was sent: in the end it has
 * what the property has.
 */
export async function channelChaos(group: Test, service: Service): Promise<void> {
  const play = async (t: Test, seed: number): Promise<void> => {
    const protocol = CHANNEL_PROTOCOLS[seed % 2]!;
    const settings = { stopSellOnFailure: seed % 4 < 2 };
    const world = await ChannelWorld.synced(t, service, protocol, { property: { pricedNights: NIGHTS }, settings });
    const chaos = new Chaos(world);
    const steps = fc.sample(step, { numRuns: 1_000, seed });
    const end = performance.now() + CHAOS_MS;
    for (const one of steps) {
      if (performance.now() > end) break;
      await chaos.take(one);
      await pause(one.pauseMs);
    }
    await chaos.end();
    for (const [roomType, room] of Object.entries({ TWN: 'TWIN', DBL: 'DOUBLE' }))
      await isAsProperty(t, chaos, roomType, room, `seed ${seed}, ${protocol}, ${roomType}`);
    t.same(world.channel.violations, [], `seed ${seed}`);
    t.match(await world.state(), { rejected: 0, atRisk: 0, queued: 0 }, `seed ${seed}`);
  };
  await group.test('in the end a channel has what the property has, whatever happened', async (t) => {
    const first = Math.floor(Date.now() / 1_000) * 4;
    t.comment(`seeds ${first} to ${first + 3}`);
    await Promise.all([0, 1, 2, 3].map((n) => play(t, first + n)));
  });
}

async function isAsProperty(t: Test, { world, rates }: Chaos, roomType: string, room: string, what: string) {
  const { property, service } = world;
  const nights = Array.from({ length: NIGHTS }, (_, night) => night);
  const left = await property.left(0, NIGHTS, roomType);
  for (const rate of ['BEST', 'BB'])
    t.same(
      nights.map((night) => world.has(`${room}/${rate}`, night).availability),
      left,
      `rooms, ${what}`,
    );
  t.same(
    nights.map((night) => world.has(`${room}/BEST`, night).rate),
    rates[roomType]!.map((rate) => rate * 100),
    `rates, ${what}`,
  );
  const period = { propertyId: property.propertyId, startDate: property.day(0), endDate: property.day(BUSY) };
  const query = new URLSearchParams({ ...period, rateCode: 'BAR', roomType });
  type Limits = { items: { date: string; stopSell: boolean; minStayArrival: number | null }[] };
  const { items } = must(await service.rates<Limits>('GET', `/restrictions?${query}`), 200).json;
  for (const { date, stopSell, minStayArrival } of items) {
    const night = nights.find((one) => property.day(one) === date)!;
    t.match(world.has(`${room}/BEST`, night), { closed: stopSell, minStay: minStayArrival ?? 1 }, `${date}, ${what}`);
  }
}
