import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';

import type { Log } from '../../src/kernel/ports.ts';
import type {
  FollowFrom,
  LiveFeed,
  LiveListener,
  PropertyActors,
  PropertyView,
} from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Command, CommandResults, Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { DRAIN_MS } from '../../src/kernel/rules/drain.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import { NotServed, pauseOf, SEARCH_MS } from '../../src/kernel/rules/owner-search.ts';
import {
  ForwardRequest,
  LinkLost,
  type Member,
  type NodeLinks,
  NotOwner,
  othersOf,
  type Placement,
  type RequestScope,
  type RequestScopes,
} from '../../src/platform/coordination/ports.ts';
import { type Host, Passivating, OwnedByOtherNode } from '../host.ts';

/** Properties that move at the same time. More of them would make each unavailable for longer. */
const MOVED_AT_ONCE = 1;

/** How long the release of one property is awaited, in milliseconds, before the next one moves. */
const LEAVE_ONE_MS = 1_500;

/** Timer option: the timer does not keep the process alive. */
const UNHELD = { ref: false };

/** Remembered nodes; the least recently used ones are dropped. */
const MAX_KNOWN = 1_000;

type DirectoryOptions = {
  host: Host;
  placement: Placement;
  links: NodeLinks;
  requestScopes: RequestScopes;
  log: Log;
};

/**
 * The property actors of all nodes (docs/concepts/cluster.md#ownership). Calls go to the node where a property is in
 * memory, else where its shard is placed. A wrong guess costs a hop: who owns a property is decided in PostgreSQL
 * when it is taken.
 *
 * A client's request whose property has another owner is forwarded as a whole ({@link ForwardRequest}), unless it has
 * begun here; started requests, jobs and dashboards call the owner command by command.
 */
export class Directory implements PropertyActors {
  readonly #options: DirectoryOptions;
  /** Members of the present and earlier views: a draining node still owns what it has not released. */
  readonly #known = new LRUCache<string, Member>({ max: MAX_KNOWN });
  #departing = Promise.resolve();
  /**
   * Until then, each moved property is activated at its new owner before the next one moves; afterwards nothing is
   * awaited.
   */
  #calmUntil = Infinity;
  #releasedCount = 0;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#remember(options.placement.view.members);
    options.placement.onChange(({ members }) => {
      this.#remember(members);
      void this.#releaseOthers();
    });
  }

  /** Properties that this node has released to others since its start. */
  get releasedCount(): number {
    return this.#releasedCount;
  }

  async execute<C extends Command>(
    to: Address,
    envelope: Envelope & { command: C },
  ): Promise<Reply<CommandResults[C['type']]>> {
    const { host, links, requestScopes } = this.#options;
    const answer = await this.#find(to, {
      here: () => beginning(requestScopes.current(), () => host.execute(to, envelope)),
      there: (owner) => links.execute(owner, to, envelope),
      effect: envelope.key === undefined ? 'each time' : 'once',
    });
    return answer as Reply<CommandResults[C['type']]>;
  }

  view(to: Address): Promise<PropertyView> {
    const { host } = this.#options;
    return this.#find(to, { here: () => host.view(to), there: () => host.committed(to), effect: 'none' });
  }

  views(
    tenantId: TenantId,
    propertyIds: readonly string[],
    nights: { first: Day; last: Day },
  ): Promise<PropertyView[]> {
    return this.#options.host.views(tenantId, propertyIds, nights);
  }

  follow(to: Address, from: FollowFrom | undefined, listener: LiveListener): Promise<LiveFeed> {
    const { host, links } = this.#options;
    return this.#find(to, {
      here: () => host.follow(to, from, listener),
      there: (owner) => links.follow(owner, to, from, listener),
      effect: 'none',
      // A follower is not a request, so it cannot be forwarded.
      mayForward: false,
    });
  }

  async forgetRates(tenantId: TenantId): Promise<number> {
    const { host, links, placement, log } = this.#options;
    const forgotten = othersOf(placement).map((member) =>
      links.forgetRates(member, tenantId).catch((error: unknown) => {
        log.warn({ node: member.nodeId, error: String(error) }, 'a node could not be notified to check rates');
        return 0;
      }),
    );
    const all = await Promise.all([host.forgetRates(tenantId), ...forgotten]);
    return all.reduce((sum, properties) => sum + properties, 0);
  }

  /** Executes a command from another node. @throws NotOwner; DomainError as `execute` */
  async executeHere(to: Address, envelope: Envelope, viewVersion: number): Promise<Reply<unknown>> {
    await this.mustOwn(to, viewVersion);
    return this.#take(to, () => this.#options.host.execute(to, envelope));
  }

  /** Follows a property for another node. @throws NotOwner; DomainError as `follow` */
  async followHere(
    to: Address,
    from: FollowFrom | undefined,
    listener: LiveListener,
    viewVersion: number,
  ): Promise<LiveFeed> {
    await this.mustOwn(to, viewVersion);
    return this.#take(to, () => this.#options.host.follow(to, from, listener));
  }

  /** Checks that this node owns the property, under a view that is at least `viewVersion`. @throws NotOwner */
  async mustOwn(to: Address, viewVersion: number): Promise<void> {
    if (this.isMine(to)) return;
    const { placement } = this.#options;
    await placement.refresh(viewVersion);
    if (!this.isMine(to)) throw new NotOwner(placement.view.version);
  }

  /** Whether this node owns the property, by the view it knows. */
  isMine(to: Address): boolean {
    const { host, placement } = this.#options;
    return host.has(to) || placement.ownerOf(to)?.nodeId === placement.self.nodeId;
  }

  /** Activates a property that was moved to this node. After a failure, its first request activates it. */
  async activate(to: Address): Promise<void> {
    if (this.isMine(to)) await this.#take(to, () => this.#options.host.view(to)).catch(() => undefined);
  }

  /**
   * Releases a property that another node requests. A resident property is served here until it moves: a draining node
   * would otherwise have to release everything at once.
   * @returns whether it was released
   */
  async release(to: Address): Promise<boolean> {
    const { host } = this.#options;
    if (host.has(to)) return false;
    await host.release(to);
    return true;
  }

  /** Releases all properties. Called after this node has left the view, so that each has another owner. */
  async leave(): Promise<void> {
    this.#calmUntil = performance.now() + DRAIN_MS.moveGradually;
    await Promise.race([this.#releaseOthers(), pause(DRAIN_MS.moveAll, undefined, UNHELD)]);
  }

  /** Calls this node or another one, and retries until an owner is found or SEARCH_MS have passed. */
  async #find<T>(to: Address, { here, there, effect, mayForward = true }: Ways<T>): Promise<T> {
    const { placement, requestScopes } = this.#options;
    const until = performance.now() + SEARCH_MS;
    let mayHaveRun = false;
    let holder: Member | undefined;
    for (let tries = 0; ; tries++) {
      try {
        if (!holder && this.isMine(to)) return await this.#take(to, here, until);
        const scope = requestScopes.current();
        if (scope && !scope.begun && mayForward) throw new ForwardRequest(to, holder);
        const owner = holder ?? placement.ownerOf(to);
        if (!owner) throw new NotServed();
        return await there(owner);
      } catch (error) {
        mayHaveRun ||= effect !== 'none' && error instanceof LinkLost && error.mayHaveRun;
        if (!isWorthAnotherTry(error, effect) || performance.now() > until) throw clientError(error, mayHaveRun);
        holder = error instanceof NotOwner ? error.holder : undefined;
        if (holder) continue;
        if (error instanceof NotOwner) await placement.refresh(error.viewVersion);
      }
      await pause(pauseOf(tries));
    }
  }

  /**
   * Calls this node. Where the database names another owner, that node is requested to release the property.
   * @throws NotOwner
   */
  async #take<T>(to: Address, here: () => Promise<T>, until = performance.now() + SEARCH_MS): Promise<T> {
    const { placement, links } = this.#options;
    for (let tries = 0; ; tries++) {
      try {
        return await here();
      } catch (error) {
        if (performance.now() > until) throw error;
        if (error instanceof Passivating) {
          await Promise.race([
            error.left.catch(() => undefined),
            pause(until - performance.now(), undefined, UNHELD),
          ]);
          if (!this.isMine(to)) throw new NotOwner(placement.view.version);
        } else if (error instanceof OwnedByOtherNode) {
          const holder = await this.#holder(error.nodeId);
          const isReleased = holder && (await links.release(holder, to).catch(() => this.#forget(holder)));
          if (isReleased === false) throw new NotOwner(placement.view.version, holder);
        } else throw error;
      }
      await pause(pauseOf(tries));
    }
  }

  /**
   * Looks up the owner named by the database. A node in no known view is found by its lease: it may use another Redis.
   */
  async #holder(nodeId: string): Promise<Member | undefined> {
    const known = this.#known.get(nodeId) ?? (await this.#options.placement.lookUp(nodeId));
    if (known) this.#known.set(nodeId, known);
    return known;
  }

  /**
   * Forgets a node that does not answer. The link checks whether it is dead; the next call looks up the owner again.
   */
  #forget({ nodeId, incarnation }: Member): undefined {
    if (this.#options.placement.member(nodeId)?.incarnation !== incarnation) this.#known.delete(nodeId);
  }

  #remember(members: readonly Member[]): void {
    for (const member of members) this.#known.set(member.nodeId, member);
  }

  /**
   * Releases the properties that the view places on other nodes, most recently used first, and activates them there.
   */
  #releaseOthers(): Promise<void> {
    this.#departing = this.#departing.then(() => this.#depart());
    return this.#departing;
  }

  /**
   * Moves MOVED_AT_ONCE properties at a time. Each is served here until its own move, and unavailable only during it.
   */
  async #depart(): Promise<void> {
    const { host, placement } = this.#options;
    const { self } = placement;
    const leaving = host.residentAddresses().filter((to) => placement.ownerOf(to)?.nodeId !== self.nodeId);
    const rest = leaving.values();
    const move = async (): Promise<void> => {
      for (const to of rest) await this.#move(to);
    };
    await Promise.all(Array.from({ length: MOVED_AT_ONCE }, move));
  }

  async #move(to: Address): Promise<void> {
    const { host, placement, links, log } = this.#options;
    const owner = placement.ownerOf(to);
    // A newer view may have placed it on this node again.
    if (owner?.nodeId === placement.self.nodeId) return;
    const left = host.release(to).then(
      () => (this.#releasedCount += 1),
      (error: unknown) => log.warn({ error: String(error) }, 'a property could not be handed over'),
    );
    // A property that cannot be released does not block the others. Its next owner will request it.
    await Promise.race([left, pause(LEAVE_ONE_MS, undefined, UNHELD)]);
    if (!owner) return;
    const activated = links.takeOver(owner, to).catch(() => undefined);
    if (performance.now() < this.#calmUntil) await activated;
  }
}

/** How to call the property: on this node, or on its owner. */
type Ways<T> = {
  here(): Promise<T>;
  there(owner: Member): Promise<T>;
  /** How often a retried call takes effect: with an idempotency key once. */
  effect: 'none' | 'once' | 'each time';
  /** Whether the calling request may be forwarded to the owner instead of calling it command by command. */
  mayForward?: boolean;
};

function isWorthAnotherTry(error: unknown, effect: Ways<unknown>['effect']): boolean {
  if (error instanceof LinkLost) return effect !== 'each time' || !error.mayHaveRun;
  return error instanceof NotOwner || error instanceof NotServed;
}

/** Marks the request as begun: once an actor has one of its commands, it can no longer be forwarded as a whole. */
async function beginning<T>(scope: RequestScope | undefined, work: () => Promise<T>): Promise<T> {
  if (!scope || scope.begun) return work();
  scope.begun = true;
  try {
    return await work();
  } catch (error) {
    if (error instanceof Passivating || error instanceof OwnedByOtherNode) scope.begun = false;
    throw error;
  }
}

/**
 * Translates errors between nodes into those for clients. NOT_EXECUTED is only said when it is true of every attempt.
 */
function clientError(error: unknown, mayHaveRun: boolean): unknown {
  const forwarded = error instanceof LinkLost || error instanceof NotOwner ? new NotServed() : error;
  if (!mayHaveRun || !(forwarded instanceof DomainError) || forwarded.code !== 'NOT_EXECUTED') return forwarded;
  return new DomainError('OUTCOME_UNKNOWN', 'The node of the property was lost; repeat with the same key.', {
    retryAfterSeconds: 1,
  });
}
