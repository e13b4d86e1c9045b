import { Client } from 'pg';

import { formatDay } from '../../src/kernel/rules/dates.ts';
import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { postgresPid } from '../../test/blackbox/launched.ts';
import { must, someone } from '../../test/blackbox/property.ts';
import { Service } from '../../test/blackbox/service.ts';
import type { Reservation } from '../../test/blackbox/shapes.ts';
import { pause } from '../../test/blackbox/waiting.ts';
import { CHAIN_TYPES, chainProperty, chainToday, seedPricedChain } from '../chain.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { NO_LIMITS } from '../first/hot-property.ts';
import { ManyReservations, type Share, withoutIndexes } from '../reservations/many.ts';
import { DRAINED_WITHIN_MS, dropMails, GATHERED_MS } from './mails.ts';
import type { Measured } from './measured.ts';

export const TENANT = 'demo';
/** Nights with a price: those of a shorter horizon than most hotels have, so that 10,000 are loaded in a minute. */
export const NIGHTS = 90;
/** Jobs that each property has every day, whether something happened there or not. */
const DAILY_JOBS = ['CHARGE_DUES', 'LEARN_DEMAND', 'NIGHT_AUDIT'];
const CONNECTIONS = 16;
const SEARCH_WITHIN_MS = 120_000;

/** A started service, and what that took; `cpu` in milliseconds. */
export type Started = { ms: number; cpu: number };

/** A service with properties that grow in number, all of 3 room types with 40 rooms each. */
export class GrowthWorld implements AsyncDisposable {
  readonly service: Service;
  readonly properties: string[] = [];
  /** Properties with a full page of reservations at least. */
  withReservations: readonly string[] = [];
  #admin: Client | undefined;
  #model: Reservation | undefined;

  private constructor(service: Service) {
    this.service = service;
  }

  /** A service on an empty database. */
  static async open(): Promise<GrowthWorld> {
    // As many sockets as the machine allows.
    return new GrowthWorld(await Service.start(NO_LIMITS, { before: 'ulimit -n "$(ulimit -Hn)"' }));
  }

  get measured(): Measured {
    return { service: this.service.dev.pid, postgres: postgresPid(this.service.dataDir) ?? 0 };
  }

  async admin(): Promise<Client> {
    if (this.#admin === undefined) {
      this.#admin = new Client({ connectionString: embeddedDatabaseUrl(this.service.dataDir) });
      this.#admin.on('error', () => {});
      await this.#admin.connect();
    }
    return this.#admin;
  }

  /**
   * Adds properties with their prices, past the service, until there are so many. Their daily work counts as done, which
   * would otherwise run beside all that is measured.
   */
  async growTo(count: number, { nights = NIGHTS, hasDailyWork = false } = {}): Promise<void> {
    const properties = count - this.properties.length;
    if (properties <= 0) return;
    const chain = { tenantId: TENANT, prefix: `growth-${count}`, properties, nights };
    await seedPricedChain(await this.admin(), chain);
    for (let n = 0; n < properties; n += 1) this.properties.push(chainProperty(chain, n));
    if (!hasDailyWork) await this.skipDailyWork();
  }

  async skipDailyWork(): Promise<void> {
    await (
      await this.admin()
    ).query(
      `insert into daily_jobs (tenant_id, property_id, job, date)
       select p.tenant_id, p.property_id, job, current_date + days
       from properties p, unnest($1::text[]) job, generate_series(-2, 1) days on conflict do nothing`,
      [DAILY_JOBS],
    );
  }

  /** Ends the service and starts it again on the same data. */
  async restart(): Promise<Started> {
    await this.#admin?.end().catch(() => {});
    this.#admin = undefined;
    await this.service.terminate();
    await this.service.up();
    return { ms: this.service.readyMs, cpu: cpuMs(this.service.dev.pid) };
  }

  /** So many quotes at full speed over the first `among` properties, which activates them. @returns milliseconds of CPU of service and database */
  async activate(quotes: number, among = this.properties.length): Promise<{ ms: number }> {
    const began = performance.now();
    const requests = Math.max(quotes, among);
    const { statuses } = await pumpApart({
      ...this.quotesOf(among),
      port: Number(new URL(this.service.dev.rateUrl).port),
      connections: CONNECTIONS,
      seconds: 300,
      requests,
    });
    if (Object.keys(statuses).some((status) => status !== '200'))
      throw new Error(`quotes answered ${JSON.stringify(statuses)}`);
    return { ms: performance.now() - began };
  }

  quotesOf(among: number): { method: 'GET'; paths: string[]; headers: Record<string, string> } {
    const paths = this.properties.slice(0, among).map((propertyId, n) => {
      const { checkIn, checkOut } = stayOf(n);
      return `/api/v1/rates/current?propertyId=${propertyId}&checkIn=${checkIn}&checkOut=${checkOut}&adults=2`;
    });
    return { method: 'GET', paths, headers: this.headers('VIEWER') };
  }

  headers(role: 'VIEWER' | 'STAFF' | 'MANAGER'): Record<string, string> {
    return {
      authorization: `Bearer ${this.service.token(TENANT, role)}`,
      'x-tenant-id': TENANT,
      'content-type': 'application/json',
    };
  }

  /** Milliseconds until a search over all properties is answered, the loading of its model included. */
  async firstSearch(): Promise<number> {
    const began = performance.now();
    for (;;) {
      const url = `${this.service.dev.reservationUrl}/api/v1/availability/search`;
      const answer = await this.service.call('POST', url, { body: { ...stayOf(20), adults: 2 } });
      const ms = performance.now() - began;
      if (answer.status !== 503 || ms > SEARCH_WITHIN_MS) {
        must(answer, 200);
        return ms;
      }
      await pause(20);
    }
  }

  /** Waits until the mails of all bookings are sent, which a tenant has done some at a time; not for ever. */
  async drained(): Promise<void> {
    const admin = await this.admin();
    for (const until = performance.now() + DRAINED_WITHIN_MS; performance.now() < until;) {
      await pause(GATHERED_MS);
      const { rows } = await admin.query<{ waiting: boolean }>(
        "select exists (select from notifications where state in ('WAITING', 'SENDING') and due_at < now() + interval '2 minutes') as waiting",
      );
      if (!rows[0]!.waiting) return;
    }
  }

  async dropMails(): Promise<void> {
    const admin = await this.admin();
    await dropMails(async (sql) => (await admin.query(sql)).rows.length);
  }

  /** Copies reservations of these properties past the service, with their payments. */
  async load(share: Pick<Share, 'rows' | 'first' | 'properties' | 'mark'>): Promise<void> {
    this.#model ??= await this.#booked();
    const admin = await this.admin();
    const many = new ManyReservations({ tenant: TENANT, ...share });
    const [model, quiet] = [this.#model, () => {}];
    await withoutIndexes(admin, () => many.load(admin, model, quiet), quiet);
    this.withReservations = share.properties;
  }

  /** A paid booking of three nights, as the service writes one. */
  async #booked(): Promise<Reservation> {
    const body = {
      propertyId: this.properties[0],
      guestInfo: someone(),
      stayDetails: {
        checkIn: formatDay(chainToday + 7),
        checkOut: formatDay(chainToday + 10),
        adults: 2,
        roomType: CHAIN_TYPES[0],
      },
      paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' },
    };
    return must(await this.service.reservations<Reservation>('POST', '', { body }), 201).json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin?.end().catch(() => {});
    await this.service.remove();
  }
}

/** Two nights; which of them is different for each n. */
export function stayOf(n: number): { checkIn: string; checkOut: string } {
  const checkIn = chainToday + 5 + (n % (NIGHTS - 10));
  return { checkIn: formatDay(checkIn), checkOut: formatDay(checkIn + 2) };
}
