import type { Client } from 'pg';

import { groupOf } from '../../groups/storage/group-load.ts';
import { named } from '../../guests/storage/guest-names.ts';
import { type HealthCheck, type Scheduler, THREAD_SCHEDULER } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { isReadOnlyCode } from '../../kernel/rules/database-unavailable.ts';
import { type Day, formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import { connect as connectTo } from '../../platform/database/connection.ts';
import { cut } from '../../platform/database/cut.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LimitedClient } from '../../platform/database/limited-client.ts';
import { OverdueWatch } from '../../platform/database/overdue-watch.ts';
import { withAllPolicies } from '../../properties/rules/property.ts';
import type { StoredRates } from '../../rates/rules/stored-rates.ts';
import { promotionOf } from '../../rates/storage/sales-load.ts';
import type { ReservationReader } from '../../stay/ports.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { readReservations } from '../../stay/storage/reservation-reader.ts';
import type {
  CommitResult,
  HeldByOtherNode,
  KnownKey,
  Loaded,
  LoadedNights,
  Ownership,
  PropertyStore,
  RateVersion,
  Released,
  FinalizedBatch,
  RewoundProperty,
  SeenPosition,
} from '../ports.ts';
import { CommitHealth } from './commit-health.ts';
import { COMMIT, COMMIT_FUNCTION } from './lists.ts';
import { type TakenRow, takenOf, takeProperty, PropertyActivation } from './property-activation.ts';
import {
  LOAD_NIGHTS,
  LOAD_RATES,
  type LoadedDocument,
  type LoadedNightsDocument,
  type LoadedRates,
  loadProperty,
  neverTaken,
  storedPlanOf,
  ratesOf,
  RECENT,
} from './property-load.ts';
import { batchArguments } from './rows.ts';
import { WriteGate } from './write-gate.ts';

type PropertyStoreOptions = {
  databaseUrl: string;
  database: Database;
  reservations: ReservationReader;
  nodeId: string;
  /** Client class that registers the connections of this node, so that it can cut them. */
  Client?: typeof LimitedClient;
  /** Called for a commit that takes too long: this node must renew its lease before it owns anything. */
  onOverdue?(why: string): void;
  /** {@link COMMIT_WITHIN_MS}, in tests. */
  commitWithinMs?: number;
  /** Opens the connection of a lane, and measures the time of commits; replaced in simulations. */
  connect?: typeof connectTo;
  scheduler?: Scheduler;
  /** Whether the database takes writes. */
  gate?: WriteGate;
};

/** A commit that takes longer shows that this node is cut off from the database. */
const COMMIT_WITHIN_MS = 3_000;

/**
 * Interval at which a lane checks whether the tables it writes have statistics
 * (docs/concepts/commit-and-fence.md#query-plans).
 */
const STATISTICS_EVERY_MS = 5_000;

/** Property actors in PostgreSQL: every write is one call of the commit function on the connection of its lane. */
export class PostgresPropertyStore implements PropertyStore, AsyncDisposable {
  readonly #options: PropertyStoreOptions;
  readonly #lanes = new Map<number, LaneConnection>();
  readonly #activation: PropertyActivation;
  readonly #watch: OverdueWatch;
  readonly #health: CommitHealth;
  readonly #gate: WriteGate;

  constructor(options: PropertyStoreOptions) {
    this.#options = options;
    const scheduler = options.scheduler ?? THREAD_SCHEDULER;
    this.#health = new CommitHealth(() => scheduler.now());
    this.#gate = options.gate ?? new WriteGate();
    this.#activation = new PropertyActivation(options.databaseUrl, options.nodeId, options.Client);
    const { commitWithinMs = COMMIT_WITHIN_MS } = options;
    const overdue = (): void => {
      for (const lane of this.#lanes.values()) lane.cut();
      options.onOverdue?.(`a commit had no answer within ${commitWithinMs / 1_000} s`);
    };
    this.#watch = new OverdueWatch(commitWithinMs, overdue, options.scheduler);
  }

  async exists({ tenantId, propertyId }: Address): Promise<boolean> {
    const sql = 'select 1 from properties where tenant_id = ? and property_id = ? and deleted_at is null';
    const { database } = this.#options;
    const rows = await database.readTenant(tenantId, (em) => em.execute(sql, [tenantId, propertyId]));
    return (rows as unknown[]).length > 0;
  }

  async take({ tenantId, propertyId }: Address): Promise<Ownership | HeldByOtherNode> {
    const { database, nodeId } = this.#options;
    const rows = await database.inTenantForReads(tenantId, (em) => em.execute(TAKE, [tenantId, propertyId, nodeId]));
    return takenOf((rows as unknown as [TakenRow])[0]);
  }

  async release(of: readonly Released[]): Promise<void> {
    if (of.length === 0) return;
    const released = of.map(({ to: { tenantId, propertyId }, epoch }) => ({ t: tenantId, p: propertyId, epoch }));
    const values = [tenantsOf(of.map(({ to }) => to)), this.#options.nodeId, JSON.stringify(released)];
    await this.#options.database.orm.em.fork().execute('select release_properties_v1(?, ?, ?)', values);
  }

  async rewound(seen: readonly SeenPosition[]): Promise<RewoundProperty[]> {
    const known = seen.map(({ to, generation: g, seq, head }) => ({
      t: to.tenantId,
      p: to.propertyId,
      g,
      seq,
      head,
    }));
    const values = [tenantsOf(seen.map(({ to }) => to)), JSON.stringify(known)];
    const sql = 'select t, p, stored::float8, generation from rewind_lost_v1(?, ?)';
    const rows = await this.#options.database.orm.em
      .fork()
      .execute<{ t: string; p: string; stored: number; generation: number }[]>(sql, values);
    return rows.map(({ t, p, stored, generation }) => ({
      to: { tenantId: t, propertyId: p },
      seq: stored,
      generation,
    }));
  }

  async open(to: Address, mustExist: boolean): Promise<Loaded | HeldByOtherNode | undefined> {
    const opened = await this.#health.activation(this.#activation.open(to, mustExist));
    if (!opened || 'heldBy' in opened) return opened;
    return this.#loaded(to, opened.document);
  }

  async committed(to: Address): Promise<Loaded> {
    const { database } = this.#options;
    const rows = await database.readTenant(to.tenantId, (em) => em.execute(LOAD_PROPERTY, [to.propertyId]));
    const found = (rows as unknown as { document: LoadedDocument }[])[0]?.document;
    return found ? this.#loaded(to, found) : neverTaken();
  }

  async #loaded({ tenantId }: Address, found: LoadedDocument): Promise<Loaded> {
    const { epoch, seq, generation, head, at, ...document } = found;
    const { property, removed, tenantPolicies, today, plans, rates, ...others } = document;
    const { promotions, groups, holds, waitlist, inquiries, pending, ...rest } = others;
    return {
      ...rest,
      ownership: { epoch, seq, generation, head },
      at: at ?? 0,
      property: property ? withAllPolicies(property) : undefined,
      removed: removed ? withAllPolicies(removed) : undefined,
      tenantPolicies: tenantPolicies ?? undefined,
      today: today ?? undefined,
      plans: plans.map(storedPlanOf),
      rates: ratesOf(rates),
      promotions: promotions.map(promotionOf),
      groups: groups.map(groupOf),
      waitlist: waitlist.map(({ details, ...entry }) => ({ ...entry, ...details })),
      inquiries: inquiries.map(({ details, ...inquiry }) => ({ ...inquiry, ...details })),
      holds: holds.map(({ doc, ...hold }) => ({ ...hold, ...doc, reservationId: hold.reservationId ?? undefined })),
      pending: await readReservations(this.#options.database, tenantId, pending),
    };
  }

  recent({ tenantId, propertyId }: Address, last: number, most: number): Promise<JournalEntry[]> {
    return this.#options.database.readTenant(tenantId, async (em) => {
      const rows = await em.execute(RECENT, [propertyId, last, most, last]);
      const entries = rows as unknown as JournalEntry[];
      return [...entries.slice(0, -NAMED_ENTRIES), ...(await named(em, entries.slice(-NAMED_ENTRIES)))];
    });
  }

  async nights(tenantId: TenantId, propertyIds: readonly string[], first: Day, last: Day): Promise<LoadedNights[]> {
    const values = [formatDay(first), formatDay(last), JSON.stringify(propertyIds)];
    const rows = await this.#options.database.readTenant(tenantId, (em) => em.execute(LOAD_NIGHTS, values));
    return (rows as unknown as { document: LoadedNightsDocument }[]).map(
      ({ document: { propertyId, property, plans, rates, ...rest } }) => ({
        ...rest,
        property: withAllPolicies(property),
        to: { tenantId, propertyId },
        plans: plans.map(storedPlanOf),
        rates: ratesOf(rates),
      }),
    );
  }

  async rateVersions(of: readonly Address[]): Promise<RateVersion[]> {
    const wanted = of.map(({ tenantId, propertyId }, n) => ({ n, t: tenantId, p: propertyId }));
    const em = this.#options.database.orm.em.fork();
    const sql = 'select n, version::float8, epoch::float8 from rate_versions_v1(?, ?)';
    const rows = await em.execute<(RateVersion & { n: number })[]>(sql, [tenantsOf(of), JSON.stringify(wanted)]);
    const found = new Map(rows.map(({ n, ...version }) => [n, version]));
    return of.map((_, n) => found.get(n) ?? { version: 0, epoch: 0 });
  }

  async rates({ tenantId, propertyId }: Address): Promise<StoredRates> {
    const { database } = this.#options;
    const rows = await database.readTenant(tenantId, (em) => em.execute(LOAD_RATES, [propertyId]));
    const { plans, rates, ...rest } = (rows as unknown as { document: LoadedRates }[])[0]!.document;
    return { ...rest, plans: plans.map(storedPlanOf), rates: ratesOf(rates) };
  }

  async reservation(
    { tenantId, propertyId }: Address,
    id: string,
  ): Promise<{ reservation: Reservation; epoch: number } | undefined> {
    const found = await this.#options.reservations.get(tenantId, id);
    if (found?.reservation.propertyId !== propertyId) return undefined;
    const { reservation, epoch } = found;
    return { reservation, epoch };
  }

  async commit(lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> {
    const closed = this.#gate.closed;
    if (closed !== undefined) return { outcome: 'unavailable', detail: closed, isReadOnly: true };
    let connection = this.#lanes.get(lane);
    if (!connection) this.#lanes.set(lane, (connection = new LaneConnection(this.#options, this.#watch)));
    let values: (string | null)[];
    try {
      values = batchArguments(batches);
    } catch (error) {
      return { outcome: 'rejected', reason: 'poison', detail: String(error) };
    }
    const result = await this.#health.commit(connection.call(values));
    if (result.outcome === 'committed') this.#gate.answered();
    else if (result.outcome === 'unavailable' && result.isReadOnly) this.#gate.answered(result.detail);
    return result;
  }

  /** `commits` in the health report. */
  get health(): HealthCheck {
    return this.#health;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([
      ...[...this.#lanes.values()].map((lane) => lane.close()),
      this.#activation[Symbol.asyncDispose](),
    ]);
  }
}

const TAKE = takeProperty(['?', '?', '?']);
const LOAD_PROPERTY = loadProperty('?');

/** Distinct tenants of a call, as its function expects them. */
const tenantsOf = (of: readonly Address[]): string => [...new Set(of.map(({ tenantId }) => tenantId))].join(',');

/** Newest entries that get the guest's name for feeds. */
const NAMED_ENTRIES = 400;

type LaneOptions = Pick<PropertyStoreOptions, 'databaseUrl' | 'Client' | 'connect' | 'scheduler'>;

/**
 * Connection of one lane; opened when needed, dropped when its state is in doubt. Calls are pipelined and answered in
 * order.
 */
class LaneConnection {
  readonly #options: LaneOptions;
  readonly #watch: OverdueWatch;
  #client: Promise<Client> | undefined;
  #untilStatistics = true;
  #lookAt = 0;

  constructor(options: LaneOptions, watch: OverdueWatch) {
    this.#options = options;
    this.#watch = watch;
  }

  async call(values: (string | null)[]): Promise<CommitResult> {
    const opening = (this.#client ??= this.#connectedBy(this.#open()));
    let client: Client;
    try {
      client = await opening;
    } catch (error) {
      this.#drop(opening);
      return { outcome: 'unavailable', detail: String(error) };
    }
    if (this.#untilStatistics && this.#now() > this.#lookAt) void this.#lookForStatistics(client);
    try {
      const query = { name: COMMIT_FUNCTION, text: COMMIT, values };
      const { rows } = await this.#watch.over(client.query<{ answer: { known?: KnownRow[] } }>(query));
      const known = rows[0]!.answer.known;
      return known ? { outcome: 'known-keys', keys: known.map(knownKey) } : { outcome: 'committed' };
    } catch (error) {
      const result = explain(error);
      if (result.outcome === 'unknown') this.#drop(opening);
      return result;
    }
  }

  #now(): number {
    return (this.#options.scheduler ?? THREAD_SCHEDULER).now();
  }

  /** Fails all calls in progress at once with an unknown outcome; the next call opens another connection. */
  cut(): void {
    const opening = this.#client;
    this.#client = undefined;
    void opening?.then(cut).catch(() => undefined);
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Sets the connection of the next calls, until it ends. */
  #connectedBy(opening: Promise<Client>): Promise<Client> {
    void opening.then((client) => client.once('end', () => this.#drop(opening))).catch(() => undefined);
    return opening;
  }

  /** Makes the next call open another connection. */
  #drop(opening: Promise<Client>): void {
    if (this.#client === opening) this.#client = undefined;
    void opening.then((client) => client.end()).catch(() => undefined);
  }

  async #open(): Promise<Client> {
    this.#untilStatistics = true;
    this.#lookAt = 0;
    const { databaseUrl, Client, connect = connectTo } = this.#options;
    const settings = { plan_cache_mode: 'force_custom_plan' };
    return connect(databaseUrl, 'innkeeper_app', { settings, pipeline: true, ...(Client && { Client }) });
  }

  /**
   * A plan made while tables are empty picks any index; with statistics, plans may be cached. Only checks tables that
   * every booking fills: inventory has few rows in a small property, and its statements leave the planner no choice.
   */
  async #lookForStatistics(client: Client): Promise<void> {
    this.#lookAt = this.#now() + STATISTICS_EVERY_MS;
    try {
      const { rows } = await client.query<{ ready: boolean }>(
        `select bool_and(reltuples > 1000) as ready from pg_class where oid in ('reservations'::regclass,
           'payments'::regclass, 'reservation_status_history'::regclass)`,
      );
      if (!rows[0]?.ready || !this.#untilStatistics) return;
      this.#untilStatistics = false;
      await client.query('set plan_cache_mode = auto');
    } catch {
      // The next call notices a broken connection.
    }
  }
}

const DEADLOCK = '40P01';

function explain(error: unknown): CommitResult {
  const { code = '', detail = '', message = '', constraint = '' } = error as Partial<Record<string, string>>;
  if (code === 'IK001') return { outcome: 'fenced', properties: (JSON.parse(detail) as Here[]).map(addressOf) };
  if (code === 'IK003') return { outcome: 'rejected', reason: 'guest-moved', detail: message };
  if (code === '23505' && constraint === 'reservations_confirmation_number')
    return { outcome: 'rejected', reason: 'number-taken', detail: message };
  if (code === '23505' && constraint === 'reservations_external_id')
    return { outcome: 'rejected', reason: 'external-id-taken', detail: message };
  if (code === '23505' && constraint === 'payments_terminal_reference')
    return { outcome: 'rejected', reason: 'terminal-reference-taken', detail: message };
  if (code === '23505' && constraint === 'properties_tenant_id_property_code_key')
    return { outcome: 'rejected', reason: 'code-taken', detail: message };
  if (code === '23505' && constraint === 'promotions_tenant_id_promo_code_key')
    return { outcome: 'rejected', reason: 'promo-code-taken', detail: message };
  if (code === '23505' && constraint === 'idempotency_pkey') return { outcome: 'raced' };
  // For example with a migration: PostgreSQL aborts one of two deadlocked transactions.
  if (code === DEADLOCK) return { outcome: 'raced' };
  if (isReadOnlyCode(code)) return { outcome: 'unavailable', detail: `${code} ${message}`, isReadOnly: true };
  // The server answered with an error of its own, so the transaction is rolled back; class 57 ends the session.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') && !code.startsWith('08'))
    return { outcome: 'rejected', reason: 'poison', detail: `${code} ${message}` };
  return { outcome: 'unknown' };
}

type Here = { t: string; p: string };
/** The answer is returned as text, because jsonb reorders members. */
type KnownRow = Here & Pick<KnownKey, 'subject' | 'key' | 'fingerprint' | 'ref'> & { answer: string | null };

const addressOf = ({ t, p }: Here): Address => ({ tenantId: t, propertyId: p });

function knownKey({ t, p, answer, ...row }: KnownRow): KnownKey {
  return { to: { tenantId: t, propertyId: p }, ...row, answer: answer === null ? null : JSON.parse(answer) };
}
