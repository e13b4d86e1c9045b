import { until } from '../../../src/platform/launch/process/until.mjs';
import { BlackboxProperty } from '../../../test/blackbox/property.ts';
import type { Service } from '../../../test/blackbox/service.ts';
import { pause } from '../../../test/blackbox/waiting.ts';
import { Witness } from '../../live/witness.ts';
import { connectTo } from '../../nemesis/dashboards.ts';

/** A change that no dashboard shows by then is late; on a machine with other work this is far from usual. */
const LATE_AFTER_MS = 5_000;
const BOOKING_MS = 150;
const LOOK_MS = 10;
const LIVE_WITHIN_MS = 60_000;
const NIGHTS = 60;
const TRANSPORTS = ['ws', 'socket.io', 'ws', 'socket.io'] as const;

type Change = { seq: number; at: number };

/** Dashboards of a property that is booked all the time: each must show every change soon. */
export class Healthy {
  /** Milliseconds from the answer of a booking until a dashboard showed it. */
  latencies: number[] = [];
  late = 0;
  booked = 0;
  readonly failures: string[] = [];
  readonly #property: BlackboxProperty;
  readonly #service: Service;
  readonly #dashboards: { witness: Witness; waiting: Change[] }[];
  #ends = false;
  #work: Promise<unknown> | undefined;

  private constructor(service: Service, property: BlackboxProperty) {
    this.#service = service;
    this.#property = property;
    this.#dashboards = TRANSPORTS.map((transport) => ({ witness: this.#witness(transport), waiting: [] }));
  }

  /** @throws Error when a dashboard does not reach the present */
  static async open(service: Service): Promise<Healthy> {
    const property = await BlackboxProperty.open(service, { rooms: { STD: 5_000 } });
    const all = new Healthy(service, property);
    if (!(await until(() => all.#dashboards.every(({ witness }) => witness.isLive), LIVE_WITHIN_MS)))
      throw new Error('dashboards do not come to show the present');
    all.#work = Promise.all([all.#book(), all.#look()]);
    return all;
  }

  get count(): number {
    return this.#dashboards.length;
  }

  get property(): BlackboxProperty {
    return this.#property;
  }

  /** Latencies since the last call. */
  drainLatencies(): number[] {
    return this.latencies.splice(0);
  }

  /** Ends the bookings, and compares every dashboard with a new one. @returns what is wrong */
  async end(): Promise<string[]> {
    this.#ends = true;
    await this.#work;
    const fresh = this.#witness('ws');
    const all = this.#dashboards.map(({ witness }) => witness);
    await until(() => fresh.isLive && all.every(({ seq }) => seq === fresh.seq), LIVE_WITHIN_MS);
    const wanted = fresh.content();
    const wrong = all.flatMap((witness, n) => [
      ...witness.difference(wanted).map((one) => `dashboard ${n}: ${one}`),
      ...witness.problems.map((one) => `dashboard ${n} got ${one}`),
      ...(witness.reconnects > 0 ? [`dashboard ${n} lost its connection ${witness.reconnects} times`] : []),
      ...(witness.gaps > 0 ? [`dashboard ${n} had ${witness.gaps} gaps`] : []),
    ]);
    for (const witness of [fresh, ...all]) witness.close();
    if (this.late > 0)
      wrong.push(`${this.late} changes were shown after more than ${LATE_AFTER_MS} ms, or not at all`);
    return [...wrong, ...this.failures];
  }

  #witness(transport: 'ws' | 'socket.io'): Witness {
    const { dev } = this.#service;
    const wanted = {
      propertyId: this.#property.propertyId,
      topics: ['grid' as const, 'feed' as const, 'kpi' as const, 'rooms' as const],
      window: { start: this.#property.day(0), days: NIGHTS },
    };
    const token = this.#service.token('demo', 'MANAGER');
    const options = { liveUrl: dev.liveUrl, token, tenantId: 'demo', wanted, plain: 0, socketIo: 0 };
    return new Witness(options, connectTo(dev.liveUrl, transport));
  }

  async #book(): Promise<void> {
    for (let n = 0; !this.#ends; n++) {
      const answer = await this.#property.book({ from: n % (NIGHTS - 2), nights: 1, roomType: 'STD' });
      const change = { seq: Number(answer.headers['x-property-seq']), at: performance.now() };
      if (answer.status === 201) {
        this.booked += 1;
        for (const { waiting } of this.#dashboards) waiting.push(change);
      } else this.failures.push(`a booking was answered with ${answer.status}: ${answer.text.slice(0, 300)}`);
      await pause(BOOKING_MS);
    }
  }

  async #look(): Promise<void> {
    while (!this.#ends || this.#dashboards.some(({ waiting }) => waiting.length > 0)) {
      const now = performance.now();
      for (const { witness, waiting } of this.#dashboards)
        while (waiting.length > 0 && (witness.seq >= waiting[0]!.seq || now - waiting[0]!.at > LATE_AFTER_MS)) {
          const { seq, at } = waiting.shift()!;
          if (witness.seq >= seq) this.latencies.push(now - at);
          else this.late += 1;
        }
      await pause(LOOK_MS);
    }
  }
}
