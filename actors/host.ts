import { bulkhead } from 'cockatiel';

import type {
  ActorFigures,
  BatchFigures,
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
import { HistoryCheck } from './history-check.ts';
import { Lanes } from './lanes.ts';
import {
  MAX_NAMED,
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
  /** Whether this node may own properties: false once its lease is lost, or while it drains. */
  mayOwn(): boolean;
  /** Called before a property is passivated, with its last committed state. */
  passivating?(resident: ResidentProperty): void;
  /** Called with every entry that is committed on this node. */
  onCommitted?(to: Address, entry: JournalEntry, view: PropertyView): void;
  /** Called for every reservation whose amounts are inconsistent, when read or before it is written. */
  violated?(): void;
  /** Receives the spans of traced commands. */
  tracer?: Tracer;
  /** Called with the figures of every batch that is committed on this node. */
  onBatch?(figures: BatchFigures): void;
  /** Limits of rate freshness, and the monotonic clock (milliseconds) that measures them. */
  rateFreshness?: Partial<RateFreshnessLimits> & { now?: () => number };
};

/** The property belongs to another live node, which alone can release it. */
export class OwnedByOtherNode extends DomainError {
  readonly nodeId: string;

  constructor(nodeId: string) {
    super('NOT_EXECUTED', 'The property is moving between nodes.', { retryAfterSeconds: 1 });
    this.nodeId = nodeId;
  }
}

/** The property is leaving this node; nothing of the call was done. */
export class Passivating extends DomainError {
  /** Resolves when another node may take the property. */
  readonly left: Promise<void>;

  constructor(left: Promise<void>) {
    super('NOT_EXECUTED', 'The property is moving between nodes.', { retryAfterSeconds: 1 });
    this.left = left;
  }
}

/** Figures of a host since its start. */
type HostFigures = {
  actors: number;
  /** Commands in mailboxes. */
  queuedCommands: number;
  /** Properties whose own command (roll of the business date, expiry of holds) fails repeatedly. */
  failing: number;
  queuedBatches: number;
  rateReloads: number;
  /** Properties that came back without acknowledged changes. */
  rewound: number;
  rateCache: { hits: number; misses: number };
};

/** The actors of this node: activates them on first use, passivates idle ones, and stops all of them at a drain. */
export class Host implements PropertyActors, ResidentProperties, AsyncDisposable {
  readonly #options: HostOptions;
  readonly #lanes: Lanes;
  readonly #actors = new Map<string, PropertyActor>();
  readonly #activating = new Map<string, Promise<PropertyActor>>();
  readonly #passivating = new Map<string, Promise<void>>();
  readonly #versions: RateVersions;
  readonly #history: HistoryCheck;
  /** Unbounded queue: each actor reads its ring once, so no more reads wait than there are actors. */
  readonly #rings = bulkhead(RINGS_AT_ONCE, Infinity);
  readonly #sweeper: ReturnType<typeof setInterval>;
  #reloads = 0;
  /**
   * Reads of rates that were fresh in memory (hits), and those that needed a check or an activation first (misses).
   */
  readonly #rates = { hits: 0, misses: 0 };
  #draining = false;
  /** How often all actors were abandoned. Ownership taken before is void, even if the lease is held again. */
  #losses = 0;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#lanes = new Lanes(options.store, options.lanes);
    const { now, ...limits } = options.rateFreshness ?? {};
    this.#versions = new RateVersions(options.store, { ...RATE_FRESHNESS_LIMITS, ...limits }, now);
    this.#history = new HistoryCheck(options.store, options.log);
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
      // The actor ended during the check, so its view may be outdated.
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
    const { awake: resident = [], asleep: passive = [] } = Object.groupBy(propertyIds, (id) =>
      isResident(id) ? 'awake' : 'asleep',
    );
    const residentViews = await Promise.all(
      resident.map((propertyId) => this.#viewUnlessMoved({ tenantId, propertyId })),
    );
    const moved = resident.filter((_, at) => !residentViews[at]);
    const unread = [...passive, ...moved];
    const read = unread.length === 0 ? [] : await store.nights(tenantId, unread, first, last);
    const now = clock.now();
    const views = read.flatMap((one) => this.#viewOfNights(one, now) ?? []);
    return [...residentViews.filter((view) => view !== undefined), ...views];
  }

  /** @returns undefined for a property whose rows cannot be read: the tenant's other properties are still listed */
  #viewOfNights(read: LoadedNights, now: Instant): PropertyView | undefined {
    try {
      return new CommittedView(stateOfNights(read, businessDate(now, clockOf(read.property!))));
    } catch (error) {
      this.#options.log.error({ property: addressKey(read.to), error: String(error) }, 'property cannot be read');
      return undefined;
    }
  }

  /** @returns undefined while the property is moving to another node */
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
      // The property may be resident on another node now, or here again with another actor.
      if (ended()) return this.follow(to, from, listener);
    }
    return actor.follow(from, listener);
  }

  /** Reads a committed state from the database without activation. Another node may own the property. */
  async committed(to: Address): Promise<PropertyView> {
    this.#mustServe();
    const { store, clock } = this.#options;
    if (!(await store.exists(to))) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    const loaded = await store.committed(to);
    const today = loaded.today ?? businessDate(clock.now(), clockOf(loaded.property!));
    return new CommittedView(stateOf(to, loaded, today));
  }

  /** Whether the property is resident here, or being activated. */
  has(to: Address): boolean {
    const key = addressKey(to);
    return !this.#passivating.has(key) && (this.#actors.has(key) || this.#activating.has(key));
  }

  /** Resident properties, most recently used first. */
  residentAddresses(): Address[] {
    return [...this.#actors.values()].sort((a, b) => b.lastUsed - a.lastUsed).map(({ address }) => address);
  }

  /** Stops a property's actor and releases its ownership, so that another node may take it. */
  release(to: Address): Promise<void> {
    const key = addressKey(to);
    let passivating = this.#passivating.get(key);
    if (!passivating) {
      passivating = this.#passivate(to).finally(() => this.#passivating.delete(key));
      this.#passivating.set(key, passivating);
    }
    return passivating;
  }

  /** Runs everything that fell due after the development clock was moved, then resolves. */
  async catchUp(): Promise<void> {
    for (const actor of this.#actors.values()) actor.wake();
    await Promise.all([...this.#actors.values()].map((actor) => actor.idled()));
  }

  async forgetRates(tenantId: TenantId): Promise<number> {
    const mine = [...this.#actors.values()].filter(({ address, exists }) => exists && address.tenantId === tenantId);
    for (const { rateFreshness } of mine) rateFreshness.expire();
    return mine.length;
  }

  residents(): ResidentProperty[] {
    return [...this.#actors.values()].filter(({ exists }) => exists).map(({ address: to, view }) => ({ to, view }));
  }

  /** The actor of a property for operators, if it is in memory here; looking at it neither activates nor uses it. */
  actorFigures(to: Address): ActorFigures | undefined {
    return this.#actors.get(addressKey(to))?.figures;
  }

  get figures(): HostFigures {
    const rateCache = { ...this.#rates };
    let queuedCommands = 0;
    let failing = 0;
    for (const actor of this.#actors.values()) {
      queuedCommands += actor.queued;
      if (actor.failing) failing += 1;
    }
    const { queued: queuedBatches } = this.#lanes;
    const counts = { actors: this.#actors.size, queuedCommands, queuedBatches, failing };
    return { ...counts, rateReloads: this.#reloads, rewound: this.#history.rewound, rateCache };
  }

  /** `actors` in the health report: names properties whose own command fails repeatedly. */
  readonly health: HealthCheck = { essential: false, check: async () => this.#health() };

  #health(): Health {
    const failing = [...this.#actors.values()].flatMap(({ address, failing }) =>
      failing ? { ...address, command: failing.type, failures: failing.failures, error: failing.error } : [],
    );
    const details = { inMemory: this.#actors.size, failing: failing.slice(0, MAX_NAMED) };
    return { status: failing.length > 0 ? 'OUT_OF_SERVICE' : 'UP', details };
  }

  /**
   * Stops every actor at once and rejects waiting commands, because this node has lost the right to own properties.
   */
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
    // The property is passive, but the database may still record this node as its owner.
    const { store } = this.#options;
    const owned = await store.take(to);
    if (!('heldBy' in owned)) await store.release([{ to, epoch: owned.epoch }]);
  }

  /**
   * Releases ownership, so that other nodes need not wait for the lease to end. Best effort: the database may be away.
   */
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
    const checked = this.#history.done();
    if (checked) await checked;
    const readAt = this.#versions.now();
    const loaded = await store.open(to, !create);
    if (!loaded) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
    if ('heldBy' in loaded) throw new OwnedByOtherNode(loaded.heldBy);
    const { ownership } = loaded;
    // A drain or the loss of the lease may have begun during the read.
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
    const { state, made } = await this.#adoptChanges(found, loaded);
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
      onBatch: (figures) => this.#options.onBatch?.(figures),
      ended: (ended, isSure) => this.#forget(ended, isSure),
    });
    this.#actors.set(addressKey(to), actor);
    await actor.runDueTimers();
    await this.#followTenant(actor, loaded);
    return actor;
  }

  /**
   * Applies the tenant's policies that changed while the property was passive. After a failure, a job applies them.
   */
  async #followTenant(actor: PropertyActor, { property, tenantPolicies: policies = {} }: Loaded): Promise<void> {
    if (!property || !followingTenant(property, policies)) return;
    await actor.execute(ownEnvelope({ type: 'FOLLOW_TENANT', policies })).catch((error: unknown) => {
      this.#options.log.warn({ property: addressKey(actor.address), error: String(error) }, 'tenant not followed');
    });
  }

  /** Commits what changed outside its owners while the property was passive, before it becomes resident. */
  async #adoptChanges(state: State, loaded: Loaded): Promise<{ state: State; made: readonly JournalEntry[] }> {
    const made = adoption(state, loaded, this.#options.clock.now());
    if (!made) return { state, made: [] };
    const result = await this.#lanes.commit(finalizeBatch(made, loaded.ownership.epoch, made.at));
    if (result.outcome === 'rejected') {
      this.#options.log.error(
        { property: addressKey(state.address), ...result },
        'changes while passive not published',
      );
      return { state, made: [] };
    }
    if (result.outcome !== 'committed')
      throw new DomainError('NOT_EXECUTED', 'The property is being activated.', { retryAfterSeconds: 1 });
    if (made.entries.some(({ type }) => type === 'RELOAD')) this.#reloads += 1;
    return { state: made.draft.apply(state, made), made: made.entries };
  }

  #forget(actor: PropertyActor, isSure: boolean): void {
    if (!isSure) this.#history.remember(actor.position);
    const key = addressKey(actor.address);
    if (this.#actors.get(key) === actor) this.#actors.delete(key);
  }

  /** Passivates idle actors. A followed property is read continuously, so its rates are checked here. */
  #sweep(): void {
    const before = this.#options.clock.now() - PASSIVATE_AFTER_MS;
    for (const actor of this.#actors.values()) {
      if (actor.followed) actor.rateFreshness.check()?.catch(() => undefined);
      if (!actor.idle || actor.lastUsed >= before) continue;
      if (actor.exists) this.#options.passivating?.({ to: actor.address, view: actor.view });
      // A call in the meantime activates the property again, under an epoch that this release does not affect.
      void actor.stop().then(() => this.#release([actor]));
    }
  }
}

/** Whether the command is valid for an absent property: creating or restoring it, or the repeat of its deletion. */
function isForAbsent({ command: { type }, key }: Envelope): boolean {
  return (
    type === 'CREATE_PROPERTY' || type === 'RESTORE_PROPERTY' || (type === 'DELETE_PROPERTY' && key !== undefined)
  );
}
