import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Instant, formatInstant } from '../../../src/kernel/rules/property-time.ts';
import type { Runtime } from '../../../src/platform/launch/runtimes.mjs';
import { pause } from '../../../test/blackbox/waiting.ts';
import { oneNightBooking } from '../../cluster/booker.ts';
import { ClusterWorld } from '../../cluster/cluster-world.ts';
import { openProperties, type SmallProperty } from '../../cluster/properties.ts';
import { SmallDisk } from '../../cluster/small-disk.ts';
import { Dashboards } from '../../nemesis/dashboards.ts';
import { seeded } from '../../nemesis/seeded.ts';
import { faultsOf } from '../../nemesis/strike.ts';
import { get } from '../../replay/audit.ts';
import { serviceDay, serviceTime } from '../../replay/service-time.ts';
import { type ClosedDay, LivingHotel, morningOf } from './hotel.ts';
import { answersOf, grownTables, growthOf, isClean, TELLING_MINUTES } from './judgement.ts';
import { Mishaps } from './mishaps.ts';
import { soakPage } from './page.ts';
import { ANYWHERE, RoamingClient } from './roaming-client.ts';
import { SoakSamples } from './samples.ts';

export type LivingOptions = {
  minutes: number;
  nodes: number;
  pace: number;
  hotels: number;
  every: number;
  seed: number;
  mishaps: boolean;
  out: string;
  runtime: Runtime;
};

/** The clock of the hotels goes forward in steps of so many minutes. */
const STEP_MINUTES = 10;
const MINUTE_MS = 60_000;
const STEPS_OF_A_DAY = (24 * 60) / STEP_MINUTES;
/** A clock that does not move is tried again; a mishap may last for two minutes. */
const CLOCK_TRIES = 60;
const CLOCK_AGAIN_MS = 2_000;
/** Guests that are always there beside those of the hotels. */
const READ_MS = 100;
const BOOK_MS = 1_000;
const AHEAD_NIGHTS = 50;
/** Stays of the guests beside that are there at a time. */
const STAYS_BESIDE = 300;
const BUSY = { rooms: { STD: 400 }, nights: 400 };

/** A cluster with hotels that live, mishaps, and samples that are judged. @returns whether all was flat and every day clean */
export async function soakLiving(options: LivingOptions): Promise<boolean> {
  const { minutes, nodes, pace, runtime, seed } = options;
  const wantsDisk = options.mishaps && faultsOf({ only: '', poison: false, hasDisk: true }).length > 0;
  using smallDisk = wantsDisk ? SmallDisk.mount() : undefined;
  console.log(`${runtime}, ${nodes} nodes, ${minutes} minutes at ${pace} times the pace of a hotel, seed ${seed}`);
  await using world = await ClusterWorld.open({ runtime, nodes, proxies: true, smallDisk });
  mkdirSync(options.out, { recursive: true });
  try {
    const result = await new LivingSoak(world, options, smallDisk !== undefined).run();
    writeFileSync(join(options.out, 'report.json'), `${JSON.stringify(result, null, 1)}\n`);
    writeFileSync(join(options.out, 'report.html'), soakPage(result));
    console.log(`${join(options.out, 'report.html')} and report.json`);
    return result.isSound;
  } finally {
    world.keepLogs(options.out);
  }
}

export type SoakResult = Awaited<ReturnType<LivingSoak['run']>>;

class LivingSoak {
  readonly #world: ClusterWorld;
  readonly #options: LivingOptions;
  readonly #hasDisk: boolean;
  readonly #client: RoamingClient;
  readonly #samples: SoakSamples;
  readonly #mishaps = new Mishaps();
  readonly #days: ClosedDay[] = [];
  #ends = false;
  #booked = 0;
  /** Days since the run began. */
  #day = 0;

  constructor(world: ClusterWorld, options: LivingOptions, hasDisk: boolean) {
    this.#world = world;
    this.#options = options;
    this.#hasDisk = hasDisk;
    const headers = { authorization: `Bearer ${world.token('ADMIN')}`, 'x-tenant-id': world.tenantId };
    this.#client = new RoamingClient(world, headers);
    this.#samples = new SoakSamples(world, this.#client);
  }

  async run() {
    const { minutes, pace, seed } = this.#options;
    const startedAt = new Date().toISOString();
    const [busy] = await openProperties(this.#world, this.#client, 1, BUSY);
    using dashboards = new Dashboards(this.#world, [busy!]);
    await dashboards.live();
    const hotels = await this.#openHotels();
    const until = performance.now() + minutes * MINUTE_MS;
    const faults = this.#options.mishaps
      ? Mishaps.of(faultsOf({ only: '', poison: false, hasDisk: this.#hasDisk }))
      : [];
    const random = seeded(seed);
    const minute = (): number => this.#samples.minute;
    const beside = [
      this.#sample(),
      this.#read(hotels),
      this.#book(busy!),
      this.#mishaps.run(this.#world, { faults, random, until, minute }),
    ];
    const steps = await this.#live(hotels, until);
    this.#ends = true;
    await Promise.all(beside);
    const compared = await dashboards.compare(new Map());
    const audits = await this.#auditBusy(busy!);
    const [setting] = await this.#world.query<{ mb: number }>(
      `select setting::float8 as mb from pg_settings where name = 'max_wal_size'`,
    );
    const { all: samples } = this.#samples;
    const lived = this.#samples.minute;
    const growth = growthOf(samples, lived, setting!.mb);
    const surprises = hotels.flatMap(({ desk }) => desk.tally.surprises).map((one) => JSON.stringify(one));
    const differing = hotels.reduce((sum, { desk }) => sum + desk.ledger.findings.count, 0);
    const wrong = [
      ...this.#days.filter((day) => !isClean(day)).map((day) => `day not clean: ${JSON.stringify(day)}`),
      ...growth.filter(({ isFlat }) => !isFlat).map(({ what }) => `not flat: ${what}`),
      ...surprises,
      ...(differing > 0 ? [`${differing} answers differed from the own books`] : []),
      ...this.#client.faults,
      ...this.#mishaps.failures,
      ...compared.differing,
      ...audits,
    ];
    const result = {
      command: `npm run soak -- --minutes ${minutes} --pace ${pace} --seed ${seed}`,
      startedAt,
      minutes: lived,
      simulatedHours: (steps * STEP_MINUTES) / 60,
      pace: (steps * STEP_MINUTES) / Math.max(1, lived),
      isTelling: lived >= TELLING_MINUTES,
      days: this.#days,
      requests: Object.fromEntries(hotels.map(({ target, desk }) => [target.propertyId, desk.tally.done])),
      bookedBeside: this.#booked,
      repeats: this.#client.repeats,
      dashboards: compared,
      mishaps: this.#mishaps.all,
      growth,
      tables: grownTables(samples),
      answers: answersOf(samples),
      wrong,
      isSound: wrong.length === 0,
      samples,
    };
    textOf(result).forEach((line) => console.log(line));
    return result;
  }

  async #openHotels(): Promise<LivingHotel[]> {
    const { minutes, pace, hotels: count } = this.#options;
    const days = Math.ceil((minutes * pace) / (24 * 60)) + 8;
    const all: LivingHotel[] = [];
    for (let n = 0; n < count; n++) {
      const target = {
        client: this.#client,
        ...ANYWHERE,
        tenantId: this.#world.tenantId,
        propertyId: `living-${n + 1}-${randomUUID().slice(0, 6)}`,
      };
      all.push(await LivingHotel.open(target, await serviceDay(target), days));
    }
    return all;
  }

  /** Steps of the clock and what is due after each, until the time is over. @returns how many */
  async #live(hotels: readonly LivingHotel[], until: number): Promise<number> {
    const { target } = hotels[0]!;
    const first = (await serviceDay(target)) + 1;
    await this.#moveClock(morningOf(first));
    for (const hotel of hotels) await hotel.beginDay(first);
    const stepMs = (STEP_MINUTES * MINUTE_MS) / this.#options.pace;
    let step = 0;
    for (let next = performance.now(); performance.now() < until; next += stepMs) {
      await pause(Math.max(0, next - performance.now()));
      step += 1;
      const now = morningOf(first) + step * STEP_MINUTES * MINUTE_MS;
      await this.#moveClock(now);
      if (step % STEPS_OF_A_DAY === 0) {
        this.#day = step / STEPS_OF_A_DAY;
        for (const hotel of hotels) await this.#closeDay(hotel, first + this.#day);
      } else await Promise.all(hotels.map((hotel) => hotel.workUntil(now)));
      // Time that an audit took is not caught up on.
      next = Math.max(next, performance.now() - stepMs);
    }
    return step;
  }

  async #closeDay(hotel: LivingHotel, today: number): Promise<void> {
    const closed = await hotel.close(today);
    this.#days.push(closed);
    const { propertyId, day, cents, cells, comparedAmounts, comparedCells, tries, first } = closed;
    console.log(
      `${this.#samples.minute.toFixed(1)} min: ${propertyId} closes ${day}: ${cents} cents and ${cells} cells of ` +
        `difference, ${comparedAmounts} amounts and ${comparedCells} cells compared, ${tries} audits`,
    );
    for (const line of isClean(closed) ? [] : first) console.log(`  ${line}`);
    await hotel.beginDay(today);
  }

  /** @throws Error when the clock does not get there through all mishaps */
  async #moveClock(to: Instant): Promise<void> {
    const { operatorToken } = this.#world;
    const target = { client: this.#client, ...ANYWHERE };
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#client
        .call({
          method: 'POST',
          url: `${ANYWHERE.reservationUrl}/dev/clock`,
          body: JSON.stringify({ now: formatInstant(to) }),
          headers: { authorization: `Bearer ${operatorToken}`, 'idempotency-key': randomUUID() },
        })
        .catch(() => undefined);
      // Beyond is 400: the clock has moved although an answer was lost.
      if (answer?.status === 200 || ((await serviceTime(target).catch(() => 0)) ?? 0) >= to) return;
      if (tries === CLOCK_TRIES) throw new Error(`the clock does not move: ${answer?.text.slice(0, 300)}`);
      await pause(CLOCK_AGAIN_MS);
    }
  }

  async #sample(): Promise<void> {
    while (!this.#ends) {
      await this.#samples.take(this.#mishaps.current);
      await pause(this.#options.every * 1_000);
    }
  }

  /** Quotes of the hotels, one after the other. */
  async #read(hotels: readonly LivingHotel[]): Promise<void> {
    for (let n = 0; !this.#ends; n++) {
      const { target } = hotels[n % hotels.length]!;
      const from = Date.now() + (this.#day + 2 + (n % AHEAD_NIGHTS)) * 86_400_000;
      const [checkIn, checkOut] = [from, from + 86_400_000].map((at) => new Date(at).toISOString().slice(0, 10));
      const query = `propertyId=${target.propertyId}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`;
      await this.#client.call({ method: 'GET', url: `${ANYWHERE.rateUrl}/api/v1/rates/current?${query}` });
      await pause(READ_MS);
    }
  }

  /**
   * Bookings that go on through day and night. Every other one is cancelled at once, and the oldest when there are many:
   * a node whose stays are ever more may have ever more memory.
   */
  async #book(property: SmallProperty): Promise<void> {
    const url = `${ANYWHERE.reservationUrl}/api/v1/reservations`;
    const there: string[] = [];
    for (let n = 0; !this.#ends; n++) {
      const night = this.#day + 2 + (n % AHEAD_NIGHTS);
      const body = oneNightBooking(property, night, n);
      const answer = await this.#send('POST', url, body);
      if (answer.status === 201) {
        this.#booked += 1;
        there.push((JSON.parse(answer.text) as { reservationId: string }).reservationId);
      }
      const over = n % 2 === 0 ? there.pop() : there.length > STAYS_BESIDE ? there.shift() : undefined;
      if (over !== undefined)
        await this.#send('DELETE', `${url}/${over}`, { reason: 'GUEST_REQUEST', refundRequested: true });
      await pause(BOOK_MS);
    }
  }

  #send(method: string, url: string, body: unknown) {
    return this.#client.call({
      method,
      url,
      body: JSON.stringify(body),
      headers: { 'idempotency-key': randomUUID() },
    });
  }

  async #auditBusy({ propertyId }: SmallProperty): Promise<string[]> {
    const target = { client: this.#client, ...ANYWHERE, tenantId: this.#world.tenantId, propertyId };
    const url = `${ANYWHERE.reservationUrl}/api/v1/admin/audit/${propertyId}`;
    const { violations, oversold } = await get<{ violations: unknown[]; oversold: unknown[] }>(target, url);
    return [...violations, ...oversold].map((one) => `${propertyId}: ${JSON.stringify(one)}`);
  }
}

function textOf(result: SoakResult): string[] {
  const { minutes, simulatedHours, pace, days, bookedBeside, repeats, mishaps, growth, answers, wrong } = result;
  const amounts = days.reduce((sum, { comparedAmounts }) => sum + comparedAmounts, 0);
  const cells = days.reduce((sum, { comparedCells }) => sum + comparedCells, 0);
  return [
    `${minutes.toFixed(1)} minutes, ${simulatedHours.toFixed(1)} hours of the hotels (${pace.toFixed(0)} times), ` +
      `${mishaps.length} mishaps, ${repeats} requests repeated, ${bookedBeside} bookings beside`,
    `${days.length} days closed, ${days.filter(isClean).length} of them with 0 cents and 0 cells of difference; ` +
      `${amounts} amounts and ${cells} cells compared`,
    `p99 of a sample: ${answers.calm} ms, ${answers.mishaps} ms in mishaps`,
    ...growth.map(
      ({ what, unit, middle, growth: grown, allowed, isFlat }) =>
        `${what.padEnd(28)} ${middle.toFixed(1).padStart(9)} ${unit.padEnd(2)}  grew ${grown.toFixed(1)}, ` +
        `allowed ${allowed.toFixed(1)}: ${isFlat ? 'flat' : 'NOT FLAT'}`,
    ),
    ...(result.isTelling ? [] : [`a run of less than ${TELLING_MINUTES} minutes says little of what grows`]),
    ...wrong.slice(0, 20).map((one) => `WRONG: ${one}`),
    wrong.length === 0 ? 'all was flat, and every day was clean' : `${wrong.length} things are wrong`,
  ];
}
