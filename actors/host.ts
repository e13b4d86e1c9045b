import { bulkhead } from 'cockatiel';

import type {
  Clock,
  Health,
  HealthCheck,
  Log,
  ResidentProperty,
  ResidentProperties,
  Tracer,
} from '../src/kernel/ports.ts';
import type {
  FollowFrom,
  LiveFeed,
  LiveListener,
  PropertyActors,
  PropertyView,
} from '../src/kernel/property-actors.ts';
import { type Address, addressKey } from '../src/kernel/rules/caller.ts';
import type { Command, CommandResults, Envelope, Reply } from '../src/kernel/rules/commands.ts';
import type { Day } from '../src/kernel/rules/dates.ts';
import { DomainError } from '../src/kernel/rules/domain-error.ts';
import type { TenantId, PropertyId } from '../src/kernel/rules/ids.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { businessDate, type Instant } from '../src/kernel/rules/property-time.ts';
import { moneyFault } from '../src/money/rules/money-fault.ts';
import { clockOf, followingTenant } from '../src/properties/rules/property.ts';
import type { Loaded, LoadedNights, PropertyStore } from '../src/property-store/ports.ts';
import { adoption, emptyState, stateOf, stateOfNights } from './activation.ts';
import { Lanes } from './lanes.ts';
import {
  MOST_NAMED,
  PASSIVATE_AFTER_MS,
  RING_ENTRIES,
  RINGS_AT_ONCE,
  SWEEP_MS,
  RATE_FRESHNESS_LIMITS,
  type RateFreshnessLimits,
} from './limits.ts';
import { ownEnvelope } from './mailbox.ts';
import { PropertyActor } from './property-actor.ts';
import { finalizeBatch } from './property/finalize-batch.ts';
import { validateStoredRates } from './property/reload.ts';
import type { State } from './property/state.ts';
import { RateVersions } from './rate-versions.ts';
import { Ring } from './ring.ts';
import { CommittedView } from './view.ts';

export type HostOptions = {
  store: PropertyStore;
  clock: Clock;
  log: Log;
  lanes: number;
  /** False once this node may no longer own properties: its lease is lost, or it drains. */
  mayOwn(): boolean;
  /** Called for a property that is passivated, with its last committed state. */
  passivating?(resident: ResidentProperty): void;
  /** Called with every entry that is committed here. */
  onCommitted?(to: Address, entry: JournalEntry, view: PropertyView): void;
  /** Called for every reservation whose money does not add up, as read or about to be written. */
  violated?(): void;
  /** Where spans of traced commands go. */
  tracer?: Tracer;
  /** How long rates in memory are believed, and the monotonic clock (milliseconds) by which. */
  rateFreshness?: Partial<RateFreshnessLimits> & { now?: () => number };
};

/** The property has an owner that is alive: only it can release it. */
export class OwnedByOtherNode extends DomainError {
  readonly nodeId: string;

  constructor(nodeId: string) {
    super('NOT_EXECUTED', 'The property is moving between nodes.', { retryAfterSeconds: 1 });
    this.nodeId = nodeId;
  }
}

/** The property is leaving this node; nothing of the question was done. */
export class Passivating extends DomainError {
  /** Settles when another node may take it. */
  readonly left: Promise<void>;

  constructor(left: Promise<void>) {
    super('NOT_EXECUTED', 'The property is moving between nodes.', { retryAfterSeconds: 1 });
    this.left = left;
  }
}

/** What a host says of itself since its start. */
type HostFigures = {
  actors: number;
  /** Commands in mailboxes. */
  queuedCommands: number;
  /** Properties whose roll of the day or expiry of holds fails again and again. */
  failing: number;
  queuedBatches: number;
  rateReloads: number;
  rateCache: { hits: number; misses: number };
};

/** The actors of this node: activates them on first use, passivates idle ones, and stops them all at a drain. */
export class Host implements PropertyActors, ResidentProperties, AsyncDisposable {
  readonly #options: HostOptions;
  readonly #lanes: Lanes;
  readonly #actors = new Map<string, PropertyActor>();
  readonly #activating = new Map<string, Promise<PropertyActor>>();
  readonly #passivating = new Map<string, Promise<void>>();
  readonly #versions: RateVersions;
  /** Each actor reads its ring once, so no more wait than there are actors. */
  readonly #rings = bulkhead(RINGS_AT_ONCE, Infinity);
  readonly #sweeper: ReturnType<typeof setInterval>;
  #reloads = 0;
  /** How often rates in memory were good enough to be read at once, or had to be checked or activated first. */
  readonly #rates = { hits: 0, misses: 0 };
  #draining = false;
  /** How often everything was abandoned: what was taken before is not ours any more, even when the lease is. */
  #losses = 0;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#lanes = new Lanes(options.store, options.lanes);
    const { now, ...limits } = options.rateFreshness ?? {};
    this.#versions = new RateVersions(options.store, { ...RATE_FRESHNESS_LIMITS, ...limits }, now);
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref?.();
  }

  async execute<C extends Command>(
    to: Address,
    envelope: Envelope & { command: C },
  ): Promise<Reply<CommandResults[C['type']]>> {
    const actor = await this.#actor(to, isForAbsent(envelope));
    return (await actor.execute(envelope)) as Reply<CommandResults[C['type']]>;
  }

  async view(to: Address): Promise<PropertyView> {
    const resident = this.#actors.get(addressKey(to));
    const actor = resident ?? (await this.#actor(to, false));
    this.#mustServe();
    const unchecked = actor.rateFreshness.check();
    this.#rates[resident && !unchecked ? 'hits' : 'misses'] += 1;
    if (unchecked) {
      const ended = (): boolean => this.#actors.get(addressKey(to)) !== actor;
      await unchecked.catch((error: unknown) => {
        if (!ended()) throw error;
      });
      this.#mustServe();
      // What it says is old when it has ended while its rates were checked.
      if (ended()) return this.view(to);
    }
    actor.lastUsed = this.#options.clock.now();
    if (!actor.exists) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    return actor.view;
  }

  async views(
    tenantId: TenantId,
    propertyIds: readonly string[],
    { first, last }: { first: Day; last: Day },
  ): Promise<PropertyView[]> {
    this.#mustServe();
    const { store, clock } = this.#options;
    const isResident = (propertyId: PropertyId): boolean =>
      this.#actors.get(addressKey({ tenantId, propertyId }))?.exists === true;
    const { awake = [], asleep = [] } = Object.groupBy(propertyIds, (id) => (isResident(id) ? 'awake' : 'asleep'));
    const seen = await Promise.all(awake.map((propertyId) => this.#viewUnlessMoved({ tenantId, propertyId })));
    const moved = awake.filter((_, at) => !seen[at]);
    const cold = [...asleep, ...moved];
    const read = cold.length === 0 ? [] : await store.nights(tenantId, cold, first, last);
    const now = clock.now();
    const views = read.flatMap((one) => this.#viewOfNights(one, now) ?? []);
    return [...seen.filter((view) => view !== undefined), ...views];
  }

  /** @returns nothing of a property whose rows cannot be read: the others of the tenant are looked at without it */
  #viewOfNights(read: LoadedNights, now: Instant): PropertyView | undefined {
    try {
      return new CommittedView(stateOfNights(read, businessDate(now, clockOf(read.property!))));
    } catch (error) {
      this.#options.log.error({ property: addressKey(read.to), error: String(error) }, 'property cannot be read');
      return undefined;
    }
  }

  /** @returns nothing when the property is going to another node just now */
  async #viewUnlessMoved(to: Address): Promise<PropertyView | undefined> {
    try {
      return await this.view(to);
    } catch (error) {
      if (error instanceof Passivating || error instanceof OwnedByOtherNode) return undefined;
      throw error;
    }
  }

  async follow(to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed> {
    const actor = await this.#actor(to, false);
    actor.lastUsed = this.#options.clock.now();
    const reading = actor.ring.pastFor(from, actor.view.generation);
    if (reading) {
      const ended = (): boolean => this.#actors.get(addressKey(to)) !== actor;
      await reading.catch((error: unknown) => {
        if (ended()) return;
        this.#options.log.warn({ property: addressKey(to), error: String(error) }, 'older changes not read');
        throw new DomainError('STORE_UNAVAILABLE', 'The newest changes of the property cannot be read.');
      });
      this.#mustServe();
      // It may be resident on another node by now, or here again.
      if (ended()) return this.follow(to, from, listener);
    }
    return actor.follow(from, listener);
  }

  /** A state that is committed, of a property that another node may own: read from the database without activation. */
  async committed(to: Address): Promise<PropertyView> {
    this.#mustServe();
    const { store, clock } = this.#options;
    if (!(await store.exists(to))) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    const loaded = await store.committed(to);
    const today = loaded.today ?? businessDate(clock.now(), clockOf(loaded.property!));
    return new CommittedView(stateOf(to, loaded, today));
  }

  /** Whether the property is in memory here, or on its way to it. */
  has(to: Address): boolean {
    const key = addressKey(to);
    return !this.#passivating.has(key) && (this.#actors.has(key) || this.#activating.has(key));
  }

  /** Properties in memory, those first that were used last. */
  residentAddresses(): Address[] {
    return [...this.#actors.values()].sort((a, b) => b.lastUsed - a.lastUsed).map(({ address }) => address);
  }

  /** Drains a property and releases it: from then on another node may take it. */
  release(to: Address): Promise<void> {
    const key = addressKey(to);
    let passivating = this.#passivating.get(key);
    if (!passivating) {
      passivating = this.#passivate(to).finally(() => this.#passivating.delete(key));
      this.#passivating.set(key, passivating);
    }
    return passivating;
  }

  /** Time has jumped (development clock): everything that fell due runs before this answers. */
  async catchUp(): Promise<void> {
    for (const actor of this.#actors.values()) actor.wake();
    await Promise.all([...this.#actors.values()].map((actor) => actor.idled()));
  }

  async forgetRates(tenantId: TenantId): Promise<number> {
    const mine = [...this.#actors.values()].filter(({ address, exists }) => exists && address.tenantId === tenantId);
    for (const { rateFreshness: trust } of mine) trust.expire();
    return mine.length;
  }

  residents(): ResidentProperty[] {
    return [...this.#actors.values()].filter(({ exists }) => exists).map(({ address: to, view }) => ({ to, view }));
  }

  get figures(): HostFigures {
    const rateCache = { ...this.#rates };
    let [queuedCommands, failing] = [0, 0];
    for (const actor of this.#actors.values()) {
      queuedCommands += actor.queued;
      if (actor.failing) failing += 1;
    }
    const { queued: queuedBatches } = this.#lanes;
    const counts = { actors: this.#actors.size, queuedCommands, queuedBatches, failing };
    return { ...counts, rateReloads: this.#reloads, rateCache };
  }

  /** `actors` of the health: names properties whose roll of the day or expiry of holds fails again and again. */
  readonly health: HealthCheck = { essential: false, check: async () => this.#health() };

  #health(): Health {
    const failing = [...this.#actors.values()].flatMap(({ address, failing }) =>
      failing ? { ...address, command: failing.type, failures: failing.failures, error: failing.error } : [],
    );
    const details = { inMemory: this.#actors.size, failing: failing.slice(0, MOST_NAMED) };
    return { status: failing.length > 0 ? 'OUT_OF_SERVICE' : 'UP', details };
  }

  /** This node may own nothing any more: every actor stops at once, what waits is refused. */
  abandon(): void {
    this.#losses += 1;
    for (const actor of this.#actors.values()) actor.abandon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#draining = true;
    clearInterval(this.#sweeper);
    this.#versions[Symbol.dispose]();
    const actors = [...this.#actors.values()];
    await Promise.all(actors.map((actor) => actor.stop()));
    await this.#release(actors);
  }

  async #passivate(to: Address): Promise<void> {
    const key = addressKey(to);
    await this.#activating.get(key)?.catch(() => undefined);
    const actor = this.#actors.get(key);
    if (actor) {
      await actor.stop();
      return this.#release([actor]);
    }
    // It sleeps, and the database may still say that it is ours.
    const { store } = this.#options;
    const owned = await store.take(to);
    if (!('heldBy' in owned)) await store.release([{ to, epoch: owned.epoch }]);
  }

  /** Others need not wait for the end of our lease; they do when the database cannot be reached. */
  async #release(actors: readonly PropertyActor[]): Promise<void> {
    if (actors.length === 0) return;
    const { store, log } = this.#options;
    const of = actors.map(({ address: to, epoch }) => ({ to, epoch }));
    await store.release(of).catch((error: unknown) => log.warn({ error: String(error) }, 'properties not released'));
  }

  #mustServe(losses = this.#losses): void {
    if (!this.#draining && this.#options.mayOwn() && losses === this.#losses) return;
    throw new DomainError('NOT_EXECUTED', 'This node is not serving at the moment.', { retryAfterSeconds: 1 });
  }

  #actor(to: Address, create: boolean): Promise<PropertyActor> | PropertyActor {
    this.#mustServe();
    const key = addressKey(to);
    const passivating = this.#passivating.get(key);
    if (passivating) throw new Passivating(passivating);
    const resident = this.#actors.get(key);
    if (resident) return resident;
    let activating = this.#activating.get(key);
    if (!activating) {
      activating = this.#activate(to, create).finally(() => this.#activating.delete(key));
      this.#activating.set(key, activating);
    }
    return activating;
  }

  async #activate(to: Address, create: boolean): Promise<PropertyActor> {
    const { store, clock, log } = this.#options;
    const losses = this.#losses;
    const readAt = this.#versions.now();
    const loaded = await store.open(to, !create);
    if (!loaded) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    if ('heldBy' in loaded) throw new OwnedByOtherNode(loaded.heldBy);
    const { ownership } = loaded;
    // Draining or the loss of the lease may have come while it was read.
    this.#mustServe(losses);
    for (const row of validateStoredRates(loaded).refused)
      log.error({ property: addressKey(to), row }, 'stored rate makes no sense');
    for (const wrong of loaded.pending.flatMap((reservation) => moneyFault(reservation) ?? [])) {
      this.#options.violated?.();
      log.error({ property: addressKey(to), wrong }, 'stored money does not add up');
    }
    const property = loaded.property ?? loaded.removed;
    const found = property
      ? stateOf(to, loaded, loaded.today ?? businessDate(clock.now(), clockOf(property)))
      : emptyState(to, ownership);
    const { state, made } = await this.#adoptExternalRates(found, loaded);
    this.#mustServe(losses);
    const { seq } = ownership;
    const ring = new Ring({ seq, older: () => this.#rings.execute(() => store.recent(to, seq, RING_ENTRIES)) });
    for (const entry of made) ring.push(entry);
    const actor = new PropertyActor(state, ownership.epoch, ring, {
      store,
      rates: { versions: this.#versions, readAt, reloaded: () => (this.#reloads += 1) },
      clock,
      log,
      commit: (batch) => this.#lanes.commit(batch),
      onCommitted: (entry, view) => this.#options.onCommitted?.(to, entry, view),
      violated: () => this.#options.violated?.(),
      tracer: this.#options.tracer,
      ended: (ended) => this.#forget(ended),
    });
    this.#actors.set(addressKey(to), actor);
    await actor.runDueTimers();
    await this.#followTenant(actor, loaded);
    return actor;
  }

  /** What the tenant has said meanwhile of the policies of its properties; should it fail, a job comes after it. */
  async #followTenant(actor: PropertyActor, { property, tenantPolicies: policies = {} }: Loaded): Promise<void> {
    if (!property || !followingTenant(property, policies)) return;
    await actor.execute(ownEnvelope({ type: 'FOLLOW_TENANT', policies })).catch((error: unknown) => {
      this.#options.log.warn({ property: addressKey(actor.address), error: String(error) }, 'tenant not followed');
    });
  }

  /** External changes while it was passive are committed before it is resident. */
  async #adoptExternalRates(state: State, loaded: Loaded): Promise<{ state: State; made: readonly JournalEntry[] }> {
    const made = adoption(state, loaded, this.#options.clock.now());
    if (!made) return { state, made: [] };
    const result = await this.#lanes.commit(finalizeBatch(made, loaded.ownership.epoch, made.at));
    if (result.outcome === 'rejected') {
      this.#options.log.error(
        { property: addressKey(state.address), ...result },
        'external rate changes not published',
      );
      return { state, made: [] };
    }
    if (result.outcome !== 'committed')
      throw new DomainError('NOT_EXECUTED', 'The property is being activated.', { retryAfterSeconds: 1 });
    this.#reloads += 1;
    return { state: made.draft.apply(state, made), made: made.entries };
  }

  #forget(actor: PropertyActor): void {
    const key = addressKey(actor.address);
    if (this.#actors.get(key) === actor) this.#actors.delete(key);
  }

  /** Idle actors leave. One that a dashboard follows is read all the time, so its rates are checked. */
  #sweep(): void {
    const before = this.#options.clock.now() - PASSIVATE_AFTER_MS;
    for (const actor of this.#actors.values()) {
      if (actor.followed) actor.rateFreshness.check()?.catch(() => undefined);
      if (!actor.idle || actor.lastUsed >= before) continue;
      if (actor.exists) this.#options.passivating?.({ to: actor.address, view: actor.view });
      // A call meanwhile activates it again, under an epoch that this release does not touch.
      void actor.stop().then(() => this.#release([actor]));
    }
  }
}

/** What is there to make or to restore a property, and the repeat of a request that deleted one. */
function isForAbsent({ command: { type }, key }: Envelope): boolean {
  return (
    type === 'CREATE_PROPERTY' || type === 'RESTORE_PROPERTY' || (type === 'DELETE_PROPERTY' && key !== undefined)
  );
}
