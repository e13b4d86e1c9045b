import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import type { Clock, Log } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { ANSWER_MS, within } from './answer-timeout.ts';
import { DeadNodes } from './dead-nodes.ts';
import { clusterOf, deathOf, type LivingNode } from './lease-rows.ts';
import { LeaseWatch } from './lease-watch.ts';
import { Members } from './members.ts';
import { PlacedView } from './placed-view.ts';
import type { ClusterView, Member, Placement } from './ports.ts';
import type { RedisClient } from './redis.ts';
import { UnlistedNodes } from './unlisted-nodes.ts';

/** Intervals and time limits, in milliseconds. */
const EVERY = {
  /** Interval of announcements. */
  roundMs: 1_000,
  /** Interval of lease checks: a paused node is noticed this much later than its lease ends. */
  watchMs: 400,
  /** Shortest interval of view requests: every call may request an unknown version. */
  askMs: 20,
  /** Longest wait for a newer view. */
  refreshMs: 1_000,
  /** Interval of PostgreSQL checks for members that Redis no longer names; a node that ends deletes its membership. */
  lookMs: 500,
};

type ClusterPlacementOptions = {
  redis: RedisClient;
  /** A connection as innkeeper_system. */
  system(): Promise<Client>;
  self: Member;
  clock: Clock;
  log: Log;
  /** Whether this node may own properties; otherwise it does not announce itself. */
  held?(): boolean;
  /** Distinguishes installations that share a Redis; by default the database's identity. */
  cluster?: string;
};

/** Figures of the operations view. */
type PlacementFigures = ClusterView & DeadNodes['figures'];

/**
 * Members of the cluster and placement of properties (docs/concepts/cluster.md#placement). Redis reports members
 * quickly; PostgreSQL reports deaths, and members that Redis does not name. A node without a lease is in no view; one
 * with a lease that announces itself is in every view, whatever Redis says. Without Redis the previous view stays.
 */
export class ClusterPlacement implements Placement, AsyncDisposable {
  readonly self: Member;
  readonly #options: ClusterPlacementOptions;
  readonly #redis: Members;
  readonly #leases: LeaseWatch;
  readonly #unlisted: UnlistedNodes;
  readonly #deadNodes: DeadNodes;
  readonly #placed = new PlacedView();
  readonly #over = new AbortController();
  /** Members reported by Redis, dead or alive. */
  #members: readonly Member[];
  /** The newest applied version of Redis; views that this node makes itself have other versions. */
  #notifiedVersion = 0;
  #asking: Promise<void> | undefined;
  #watching: Promise<void> | undefined;
  #askedAt = -Infinity;
  /** Error of Redis' cluster data, while there is one. */
  #redisTrouble: string | undefined;
  /** Members with unreadable data in the newest list, as one text. */
  #unreadable = '';
  #isLeaving = false;

  private constructor(options: ClusterPlacementOptions, cluster: string) {
    this.#options = options;
    this.self = options.self;
    this.#redis = new Members(options.redis, cluster, (nodeIds) => this.#reportUnreadable(nodeIds));
    this.#leases = new LeaseWatch(options.self, () => options.system());
    this.#unlisted = new UnlistedNodes(options.log);
    this.#members = [options.self];
    this.#deadNodes = new DeadNodes(options);
  }

  /**
   * Joins the cluster of this database. Without Redis it starts with nodes whose leases hold.
   * @throws DatabaseFailure, and Error with one clear line when this build is too old for the others
   */
  static async open(options: ClusterPlacementOptions): Promise<ClusterPlacement> {
    const placement = new ClusterPlacement(options, options.cluster ?? (await clusterOf(await options.system())));
    await placement.#join();
    return placement;
  }

  get view(): ClusterView {
    return this.#placed.view;
  }

  get figures(): PlacementFigures {
    return { ...this.view, ...this.#deadNodes.figures };
  }

  /** Error of Redis' cluster data, even if Redis answers; undefined without one. */
  get redisTrouble(): string | undefined {
    return this.#redisTrouble;
  }

  /** Ids of nodes with a lease that this node's Redis does not name: they use another Redis. */
  get redisMissing(): readonly string[] {
    return this.#unlisted.missing;
  }

  ownerOf(to: Address): Member | undefined {
    return this.#placed.ownerOf(to);
  }

  member(nodeId: string): Member | undefined {
    return this.#placed.member(nodeId);
  }

  async lookUp(nodeId: string): Promise<Member | undefined> {
    return this.member(nodeId) ?? (await this.#leases.memberOf(nodeId));
  }

  onChange(listener: (view: ClusterView) => void): void {
    this.#placed.onChange(listener);
  }

  async refresh(atLeast?: number): Promise<void> {
    if (atLeast !== undefined && this.view.version >= atLeast) return;
    await Promise.race([this.#askBoth(atLeast), pause(EVERY.refreshMs, undefined, { ref: false })]);
  }

  /** Nodes without this Redis publish their view versions only in PostgreSQL. */
  async #askBoth(atLeast: number | undefined): Promise<void> {
    await (performance.now() - this.#askedAt < EVERY.askMs ? this.#asking : this.#ask());
    if (atLeast !== undefined && this.view.version < atLeast && !this.#isRedisEnough) await this.#watch();
  }

  suspect(member: Member): void {
    if (!this.#over.signal.aborted) this.#deadNodes.suspect(member, () => this.#examine(member));
  }

  /** Leaves every view, but continues to call others: for a drain. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#flush();
    // First in PostgreSQL: nodes notified by Redis check the lease.
    await this.#leases.withdraw(EVERY.lookMs);
    await this.#redis.leave(this.self, this.view).catch((error: unknown) => this.#redisDown(error));
    await this.#ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.#options.redis.off('ready', this.#listen);
    // An unavailable Redis is not awaited.
    void this.#redis.listenNoMore(this.#changed).catch(() => undefined);
    if (!this.#isLeaving) await this.#leases.withdraw(EVERY.lookMs);
    if (!this.#isLeaving && this.#redisTrouble === undefined)
      await this.#redis.leave(this.self, this.view).catch(() => undefined);
  }

  async #join(): Promise<void> {
    const { redis } = this.#options;
    // Reads before it announces: a build that is too old must not be visible.
    await this.#ask('look');
    const newer = this.#newer();
    if (newer) throw new Error(tooOld(this.self, newer));
    if (this.#redisTrouble === undefined) await this.#ask();
    await this.#look('at once');
    this.#listen();
    redis.on('ready', this.#listen);
    void this.#regularly(EVERY.roundMs, () => this.#ask());
    void this.#regularly(EVERY.watchMs, () => this.#watch());
  }

  readonly #changed = (): void => void this.#ask();
  readonly #listen = (): void => void this.#redis.listen(this.#changed).catch(() => undefined);

  async #regularly(everyMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await work();
    }
  }

  /** One query at a time; concurrent callers await its answer. */
  #ask(how?: 'look'): Promise<void> {
    this.#askedAt = performance.now();
    return (this.#asking ??= this.#askRedis(how).finally(() => (this.#asking = undefined)));
  }

  async #askRedis(how?: 'look'): Promise<void> {
    const isThere = how !== 'look' && this.#isThere;
    let view: ClusterView;
    try {
      const known = { version: this.#notifiedVersion, members: this.view.members };
      view = await this.#redis.announce(isThere ? this.self : undefined, known, this.view.version);
    } catch (error) {
      return this.#redisDown(error);
    }
    this.#redisUp();
    if (view.version <= this.#notifiedVersion) return;
    this.#notifiedVersion = view.version;
    await this.#notify(view, how);
  }

  /** Whether this node announces itself as a member. */
  get #isThere(): boolean {
    return !this.#isLeaving && (this.#options.held?.() ?? true);
  }

  /** Whether Redis has all members and their view versions. */
  get #isRedisEnough(): boolean {
    return this.#redisTrouble === undefined && this.#unlisted.added.length === 0;
  }

  async #notify({ version, members }: ClusterView, how?: 'look'): Promise<void> {
    const before = this.#members;
    this.#members = members;
    const named = new Set(members.map(({ incarnation }) => incarnation));
    const isGone = ({ incarnation }: Member): boolean => !named.has(incarnation) && !this.#deadNodes.has(incarnation);
    // A node that left has said so in PostgreSQL before; one that only lost its Redis is still a member.
    if (how !== 'look' && before.some((member) => member.nodeId !== this.self.nodeId && isGone(member)))
      await this.#look('quickly');
    const newer = this.#newer();
    if (newer && this.view.version > 0) this.#options.log.error({}, tooOld(this.self, newer));
    this.#flush(version);
  }

  /** Builds the view of living members; without a version of Redis it gets the next one, if anything has changed. */
  #flush(version?: number): void {
    const { added, left } = this.#unlisted;
    const named = new Set(this.#members.map(({ incarnation }) => incarnation));
    const beside = added.filter(({ incarnation }) => !named.has(incarnation));
    const again = new Set(beside.map(({ nodeId }) => nodeId));
    // A node has one lease: its earlier incarnations are gone.
    const members = [...this.#members.filter(({ nodeId }) => !again.has(nodeId)), ...beside]
      .filter(({ incarnation }) => !this.#deadNodes.has(incarnation) && !left.has(incarnation))
      .filter(({ nodeId }) => !this.#isLeaving || nodeId !== this.self.nodeId)
      .toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
    const { version: before } = this.view;
    const isNew = lives(members) !== lives(this.view.members);
    if (!isNew && (version ?? before) <= before) return;
    // A view that this node made itself after a death may already have Redis' version.
    this.#placed.become({ version: Math.max(version ?? 0, isNew ? before + 1 : before), members });
  }

  #newer(): Member | undefined {
    return this.#members.find(({ nodeId, protocol }) => nodeId !== this.self.nodeId && protocol > this.self.protocol);
  }

  /** Runs one check at a time. */
  #watch(): Promise<void> {
    return (this.#watching ??= this.#announceAndLook().finally(() => (this.#watching = undefined)));
  }

  async #announceAndLook(): Promise<void> {
    try {
      await this.#leases.announce(this.#isThere, this.view.version);
    } catch (error) {
      this.#options.log.debug({ why: String(error) }, 'PostgreSQL does not know that this node is there');
    }
    await this.#look();
  }

  /** A member whose lease has ended is dead; one that holds again is alive; unlisted members are added. */
  async #look(how?: 'at once' | 'quickly'): Promise<void> {
    const judged = [...this.#members, ...this.#unlisted.added];
    let living: LivingNode[];
    try {
      living = await this.#leases.living(how === 'quickly' ? EVERY.lookMs : undefined);
    } catch (error) {
      this.#options.log.debug({ why: String(error) }, 'nobody knows whose lease holds');
      return;
    }
    const alive = new Set(living.map(({ incarnation }) => incarnation));
    this.#deadNodes.judge(judged, alive);
    this.#unlisted.judge(living, {
      members: this.#members,
      self: this.self,
      isRedisAway: this.#redisTrouble !== undefined,
      present: new Set(this.view.members.map(({ incarnation }) => incarnation)),
      atOnce: how === 'at once',
      now: performance.now(),
    });
    this.#deadNodes.sweep(new Set([...this.#members, ...judged].map(({ incarnation }) => incarnation)));
    // The caller applies what Redis has just reported.
    if (how !== 'quickly') this.#flush(this.#numberOf(living));
  }

  /** Redis assigns one version to its nodes; nodes without it take theirs from PostgreSQL. */
  #numberOf(living: readonly LivingNode[]): number | undefined {
    if (this.#isRedisEnough || !this.#unlisted.isSettled) return undefined;
    return Math.max(this.view.version, ...living.map(({ viewVersion }) => viewVersion ?? 0));
  }

  async #examine(member: Member): Promise<void> {
    try {
      const why = await within(
        ANSWER_MS,
        this.#options.system().then((client) => deathOf(client, member)),
      );
      if (!why) return;
      this.#deadNodes.note(member, why);
      this.#flush();
      await this.#redis.leave(member, this.view);
      await this.#ask();
    } catch (error) {
      this.#options.log.debug({ node: member.nodeId, why: String(error) }, 'suspicion not settled');
    }
  }

  /** Logged once, however often it is retried. */
  #redisDown(error: unknown): void {
    if (this.#redisTrouble !== undefined) return;
    this.#redisTrouble = error instanceof Error ? error.message : String(error);
    const facts = { version: this.view.version, why: this.#redisTrouble };
    this.#options.log.warn(facts, 'Redis says nothing sensible of the cluster; the view of before holds');
  }

  #redisUp(): void {
    if (this.#redisTrouble !== undefined) this.#options.log.info({}, 'Redis tells of the cluster again');
    this.#redisTrouble = undefined;
  }

  /** Logged once, however long they stay. */
  #reportUnreadable(nodeIds: readonly string[]): void {
    const now = nodeIds.toSorted().join(' ');
    if (now !== '' && now !== this.#unreadable)
      this.#options.log.warn({ nodes: nodeIds }, 'what these nodes say of themselves cannot be read');
    this.#unreadable = now;
  }
}

const lives = (members: readonly Member[]): string => members.map(({ incarnation }) => incarnation).join(' ');

const tooOld = (self: Member, newer: Member): string =>
  `build ${self.build} is too old for this cluster: node ${newer.nodeId} (build ${newer.build}) speaks protocol ` +
  `${newer.protocol}, this one ${self.protocol}; start the newer build`;
