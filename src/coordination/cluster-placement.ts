import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

import type { Address } from '../domain/caller.ts';
import { actorNodes, NODE_ROLES, nodeOf, type NodeRole, SHARDS, shardOf } from '../domain/placement.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ClusterView, Member, Placement } from '../ports/placement.ts';
import { clusterOf, type Death, deathOf, type LivingNode, livingNodes } from './lease-rows.ts';
import { Members } from './members.ts';
import type { RedisClient } from './redis.ts';

/** Patience, in milliseconds. */
const EVERY = {
  /** A node announces itself. */
  roundMs: 1_000,
  /** It looks whose lease holds: a node that stands still is missed for so long more than its lease. */
  watchMs: 400,
  /** Views are not asked for more often than this: a version that nobody has is asked for by each call. */
  askMs: 20,
  /** Whoever wants a newer view waits for so long at most. */
  refreshMs: 1_000,
  /** A node that was suspected and lives is not suspected again for so long. */
  suspectMs: 250,
  /** A database that does not answer for so long says nothing of anybody. */
  answerMs: 3_000,
};

/** Take-overs that are remembered for the operations view. */
const TAKE_OVERS = 20;

export type ClusterPlacementOptions = {
  redis: RedisClient;
  /** A connection as innkeeper_system. */
  system(): Promise<Client>;
  self: Member;
  clock: Clock;
  log: Log;
  /** Whether this node may own properties; one that may not does not announce itself. */
  held?(): boolean;
  /** Tells installations that share a Redis apart; without it the database does. */
  cluster?: string;
};

/** What the operations view shows. */
export type PlacementFigures = {
  version: number;
  members: readonly Member[];
  /** Nodes found dead since the start, and the newest of them. */
  deaths: number;
  takeOvers: { nodeId: string; at: number; why: Death }[];
};

/**
 * Who is there and who owns what (architecture.md 4). Redis tells of members, PostgreSQL of deaths: a node without a
 * lease is in no view, whatever Redis says. Without Redis the view of before holds, and PostgreSQL tells of who comes.
 */
export class ClusterPlacement implements Placement, AsyncDisposable {
  readonly self: Member;
  readonly #options: ClusterPlacementOptions;
  readonly #redis: Members;
  readonly #listeners: ((view: ClusterView) => void)[] = [];
  readonly #over = new AbortController();
  /** As Redis told, whoever of them lives. */
  #members: readonly Member[];
  #view: ClusterView;
  /** The newest version of Redis that was taken in: views that this node makes itself have others. */
  #toldVersion = 0;
  #byId = new Map<string, Member>();
  #owners: (Member | null | undefined)[] = [];
  /** Lives that have ended, by their incarnation. */
  readonly #dead = new Set<string>();
  readonly #suspected = new Set<string>();
  /** Until when, by `performance.now()`, those who were suspected and live are left alone. */
  readonly #cleared = new Map<string, number>();
  readonly #takeOvers: PlacementFigures['takeOvers'] = [];
  #deaths = 0;
  #asking: Promise<void> | undefined;
  #askedAt = -Infinity;
  /** Why Redis says nothing sensible of the cluster, for as long as that is so. */
  #redisTrouble: string | undefined;
  /** Who said nothing sensible of himself in the newest list, in one text. */
  #unreadable = '';
  #isLeaving = false;

  private constructor(options: ClusterPlacementOptions, cluster: string) {
    this.#options = options;
    this.self = options.self;
    this.#redis = new Members(options.redis, cluster, (nodeIds) => this.#tellUnreadable(nodeIds));
    this.#members = [options.self];
    this.#view = { version: 0, members: [] };
  }

  /**
   * Joins the cluster of this database. Without Redis it begins with those whose leases hold.
   * @throws DatabaseFailure, and Error with one clear line when this build is too old for the others
   */
  static async open(options: ClusterPlacementOptions): Promise<ClusterPlacement> {
    const placement = new ClusterPlacement(options, options.cluster ?? (await clusterOf(await options.system())));
    await placement.#join();
    return placement;
  }

  get view(): ClusterView {
    return this.#view;
  }

  get figures(): PlacementFigures {
    return {
      ...this.#view,
      deaths: this.#deaths,
      takeOvers: [...this.#takeOvers],
    };
  }

  /** Why Redis says nothing sensible of the cluster, though it may answer; undefined when it does. */
  get redisTrouble(): string | undefined {
    return this.#redisTrouble;
  }

  ownerOf(to: Address): Member | undefined {
    const shard = shardOf(to);
    const known = this.#owners[shard];
    if (known !== undefined) return known ?? undefined;
    const owner = this.#byId.get(nodeOf(shard, actorNodes(this.#view.members)) ?? '');
    this.#owners[shard] = owner ?? null;
    return owner;
  }

  member(nodeId: string): Member | undefined {
    return this.#byId.get(nodeId);
  }

  onChange(listener: (view: ClusterView) => void): void {
    this.#listeners.push(listener);
  }

  async refresh(atLeast?: number): Promise<void> {
    if (atLeast !== undefined && this.#view.version >= atLeast) return;
    const asking = performance.now() - this.#askedAt < EVERY.askMs ? this.#asking : this.#ask();
    await Promise.race([asking, pause(EVERY.refreshMs, undefined, { ref: false })]);
  }

  suspect(member: Member): void {
    const { nodeId, incarnation } = member;
    const now = performance.now();
    if (nodeId === this.self.nodeId || this.#over.signal.aborted) return;
    if (this.#dead.has(incarnation) || this.#suspected.has(incarnation)) return;
    if (now < (this.#cleared.get(incarnation) ?? 0)) return;
    this.#suspected.add(incarnation);
    void this.#examine(member).finally(() => {
      this.#suspected.delete(incarnation);
      this.#cleared.set(incarnation, performance.now() + EVERY.suspectMs);
    });
  }

  /** This node owns nothing any more and is in no view, but goes on calling others: for a drain. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    this.#settle();
    await this.#redis.leave(this.self, this.#view).catch((error: unknown) => this.#redisDown(error));
    await this.#ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    this.#options.redis.off('ready', this.#listen);
    // A Redis that is away is not waited for.
    void this.#redis.listenNoMore(this.#changed).catch(() => undefined);
    if (!this.#isLeaving && this.#redisTrouble === undefined)
      await this.#redis.leave(this.self, this.#view).catch(() => undefined);
  }

  async #join(): Promise<void> {
    const { redis } = this.#options;
    // Looks before it says anything: a build that is too old is not to be seen.
    await this.#ask('look');
    const newer = this.#newer();
    if (newer) throw new Error(tooOld(this.self, newer));
    if (this.#redisTrouble === undefined) await this.#ask();
    if (this.#redisTrouble !== undefined) await this.#watch();
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

  /** One question at a time; whoever comes meanwhile waits for its answer. */
  #ask(how?: 'look'): Promise<void> {
    this.#askedAt = performance.now();
    return (this.#asking ??= this.#askRedis(how).finally(() => (this.#asking = undefined)));
  }

  async #askRedis(how?: 'look'): Promise<void> {
    const isThere = how !== 'look' && !this.#isLeaving && (this.#options.held?.() ?? true);
    let view: ClusterView;
    try {
      const known = { version: this.#toldVersion, members: this.#view.members };
      view = await this.#redis.announce(isThere ? this.self : undefined, known, this.#view.version);
    } catch (error) {
      return this.#redisDown(error);
    }
    this.#redisUp();
    if (view.version <= this.#toldVersion) return;
    this.#toldVersion = view.version;
    this.#tell(view);
  }

  #tell({ version, members }: ClusterView): void {
    this.#members = members;
    const newer = this.#newer();
    if (newer && this.#view.version > 0) this.#options.log.error({}, tooOld(this.self, newer));
    this.#settle(version);
  }

  /** The view of the members that live; without a version of Redis it is the next one, if anything has changed. */
  #settle(version?: number): void {
    const members = this.#members
      .filter(({ incarnation }) => !this.#dead.has(incarnation))
      .filter(({ nodeId }) => !this.#isLeaving || nodeId !== this.self.nodeId)
      .toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
    const { version: before } = this.#view;
    const isNew = lives(members) !== lives(this.#view.members);
    if (!isNew && (version ?? before) <= before) return;
    // A view that this node has made itself, of who died, may have had Redis' number already.
    this.#view = { version: Math.max(version ?? 0, isNew ? before + 1 : before), members };
    this.#byId = new Map(members.map((member) => [member.nodeId, member]));
    this.#owners = Array.from({ length: SHARDS });
    for (const listener of this.#listeners) listener(this.#view);
  }

  #newer(): Member | undefined {
    return this.#members.find(({ nodeId, protocol }) => nodeId !== this.self.nodeId && protocol > this.self.protocol);
  }

  /** Whose lease ran out, or is gone, is dead; whose holds again lives again. */
  async #watch(): Promise<void> {
    const judged = this.#members;
    let living: LivingNode[];
    try {
      living = await within(this.#options.system().then(livingNodes));
    } catch (error) {
      this.#options.log.debug({ why: String(error) }, 'nobody knows whose lease holds');
      return;
    }
    const alive = new Map(living.map((node) => [node.incarnation, node]));
    for (const incarnation of this.#dead) if (alive.has(incarnation)) this.#dead.delete(incarnation);
    for (const member of judged) if (!alive.has(member.incarnation)) this.#died(member, 'its lease is gone');
    if (this.#redisTrouble !== undefined) this.#members = withThose(this.#members, living, this.self);
    const there = new Set(this.#members.map(({ incarnation }) => incarnation));
    for (const incarnation of this.#dead) if (!there.has(incarnation)) this.#dead.delete(incarnation);
    for (const [incarnation, until] of this.#cleared)
      if (until < performance.now()) this.#cleared.delete(incarnation);
    this.#settle();
  }

  #died({ nodeId, incarnation }: Member, why: Death): void {
    if (this.#dead.has(incarnation)) return;
    this.#dead.add(incarnation);
    if (nodeId === this.self.nodeId) return;
    this.#options.log.warn({ node: nodeId, why }, 'node is dead, its properties go to others');
    this.#deaths += 1;
    this.#takeOvers.unshift({ nodeId, at: this.#options.clock.now(), why });
    this.#takeOvers.splice(TAKE_OVERS);
  }

  async #examine(member: Member): Promise<void> {
    try {
      const why = await within(this.#options.system().then((client) => deathOf(client, member)));
      if (!why) return;
      this.#died(member, why);
      this.#settle();
      await this.#redis.leave(member, this.#view);
      await this.#ask();
    } catch (error) {
      this.#options.log.debug({ node: member.nodeId, why: String(error) }, 'suspicion not settled');
    }
  }

  /** Said once, however often it is asked again. */
  #redisDown(error: unknown): void {
    if (this.#redisTrouble !== undefined) return;
    this.#redisTrouble = error instanceof Error ? error.message : String(error);
    const facts = { version: this.#view.version, why: this.#redisTrouble };
    this.#options.log.warn(facts, 'Redis says nothing sensible of the cluster; the view of before holds');
  }

  #redisUp(): void {
    if (this.#redisTrouble !== undefined) this.#options.log.info({}, 'Redis tells of the cluster again');
    this.#redisTrouble = undefined;
  }

  /** Said once, however long they stay. */
  #tellUnreadable(nodeIds: readonly string[]): void {
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

/** Members, and whoever else has a lease and an address: who came while Redis was away. Newer lives replace older. */
function withThose(members: readonly Member[], living: readonly LivingNode[], { protocol }: Member): Member[] {
  const known = new Set(members.map(({ incarnation }) => incarnation));
  const came = living.flatMap(({ nodeId, incarnation, address, role, build, startedAt }) => {
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(address ?? '') ?? [];
    if (known.has(incarnation) || host === '' || !isRole(role)) return [];
    return [{ nodeId, incarnation, host, port: Number(port), role, protocol, build: build ?? '', startedAt }];
  });
  const again = new Set(came.map(({ nodeId }) => nodeId));
  return [...members.filter(({ nodeId }) => !again.has(nodeId)), ...came];
}

const isRole = (role: string | null): role is NodeRole => NODE_ROLES.includes(role as NodeRole);

async function within<T>(asked: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(EVERY.answerMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('the database does not answer');
  });
  late.catch(() => undefined);
  asked.catch(() => undefined);
  try {
    return await Promise.race([asked, late]);
  } finally {
    over.abort();
  }
}
