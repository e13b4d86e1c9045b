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

/** Properties that move at the same time: with more of them each is away for longer. */
const MOVED_AT_ONCE = 1;

/** Patience with one that leaves, in milliseconds. */
const LEAVE_ONE_MS = 1_500;

/** A wait for which nobody stays. */
const UNHELD = { ref: false };

/** Nodes that are remembered, those first that were seen last. */
const MOST_KNOWN = 1_000;

type DirectoryOptions = {
  host: Host;
  placement: Placement;
  links: NodeLinks;
  turns: RequestScopes;
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
  /** Members of the present view and of those before: one that drains still has what it has not released. */
  readonly #known = new LRUCache<string, Member>({ max: MOST_KNOWN });
  #departing = Promise.resolve();
  /** Until then what moves is waited for, one after the other; a node that has to end gets on with it. */
  #calmUntil = Infinity;
  #handedOver = 0;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#remember(options.placement.view.members);
    options.placement.onChange(({ members }) => {
      this.#remember(members);
      void this.#releaseOthers();
    });
  }

  /** Properties that left this node alive since its start. */
  get handedOver(): number {
    return this.#handedOver;
  }

  async execute<C extends Command>(
    to: Address,
    envelope: Envelope & { command: C },
  ): Promise<Reply<CommandResults[C['type']]>> {
    const { host, links, turns } = this.#options;
    const answer = await this.#find(to, {
      here: () => begunWith(turns.current(), () => host.execute(to, envelope)),
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
      // A follower is no request, even when one has moved the property.
      mayGoWhole: false,
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

  /** A command from another node. @throws NotOwner; DomainError as `execute` */
  async executeHere(to: Address, envelope: Envelope, viewVersion: number): Promise<Reply<unknown>> {
    await this.mustOwn(to, viewVersion);
    return this.#take(to, () => this.#options.host.execute(to, envelope));
  }

  /** A follower on another node. @throws NotOwner; DomainError as `follow` */
  async followHere(
    to: Address,
    from: FollowFrom | undefined,
    listener: LiveListener,
    viewVersion: number,
  ): Promise<LiveFeed> {
    await this.mustOwn(to, viewVersion);
    return this.#take(to, () => this.#options.host.follow(to, from, listener));
  }

  /** Whether this node owns the property, by a view that is at least as new. @throws NotOwner */
  async mustOwn(to: Address, viewVersion: number): Promise<void> {
    if (this.isMine(to)) return;
    const { placement } = this.#options;
    await placement.refresh(viewVersion);
    if (!this.isMine(to)) throw new NotOwner(placement.view.version);
  }

  /** Whether this node owns the property, as far as it knows. */
  isMine(to: Address): boolean {
    const { host, placement } = this.#options;
    return host.has(to) || placement.ownerOf(to)?.nodeId === placement.self.nodeId;
  }

  /** Activates what was moved to this node; what fails is activated by its first request. */
  async activate(to: Address): Promise<void> {
    if (this.isMine(to)) await this.#take(to, () => this.#options.host.view(to)).catch(() => undefined);
  }

  /**
   * Another node wants a property. What is in memory is served here until it moves: a draining node
   * would otherwise have to release everything at once.
   * @returns whether it was released
   */
  async release(to: Address): Promise<boolean> {
    const { host } = this.#options;
    if (host.has(to)) return false;
    await host.release(to);
    return true;
  }

  /** Releases everything, for a node that leaves the cluster: it is in no view any more. */
  async leave(): Promise<void> {
    this.#calmUntil = performance.now() + DRAIN_MS.handOverCalmly;
    await Promise.race([this.#releaseOthers(), pause(DRAIN_MS.handOver, undefined, UNHELD)]);
  }

  /** Calls this node or another one, repeatedly, until an owner is found or it took too long. */
  async #find<T>(to: Address, { here, there, effect, mayGoWhole = true }: Ways<T>): Promise<T> {
    const { placement, turns } = this.#options;
    const until = performance.now() + SEARCH_MS;
    let mayHaveRun = false;
    let holder: Member | undefined;
    for (let tries = 0; ; tries++) {
      try {
        if (!holder && this.isMine(to)) return await this.#take(to, here, until);
        const scope = turns.current();
        if (scope && !scope.begun && mayGoWhole) throw new ForwardRequest(to, holder);
        const owner = holder ?? placement.ownerOf(to);
        if (!owner) throw new NotServed();
        return await there(owner);
      } catch (error) {
        mayHaveRun ||= effect !== 'none' && error instanceof LinkLost && error.mayHaveRun;
        if (!isWorthAnotherTry(error, effect) || performance.now() > until) throw explained(error, mayHaveRun);
        holder = error instanceof NotOwner ? error.holder : undefined;
        if (holder) continue;
        if (error instanceof NotOwner) await placement.refresh(error.viewVersion);
      }
      await pause(pauseOf(tries));
    }
  }

  /** Calls this node; the owner by the database is requested to release the property. @throws NotOwner */
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
          const hasLetGo = holder && (await links.release(holder, to).catch(() => this.#forget(holder)));
          if (hasLetGo === false) throw new NotOwner(placement.view.version, holder);
        } else throw error;
      }
      await pause(pauseOf(tries));
    }
  }

  /** Who is in no view is known by its lease: a node at another Redis, or of a life that nobody here has seen. */
  async #holder(nodeId: string): Promise<Member | undefined> {
    const known = this.#known.get(nodeId) ?? (await this.#options.placement.lookUp(nodeId));
    if (known) this.#known.set(nodeId, known);
    return known;
  }

  /** It does not answer: the link checks whether it is dead, and the next call looks up the owner. */
  #forget({ nodeId, incarnation }: Member): undefined {
    if (this.#options.placement.member(nodeId)?.incarnation !== incarnation) this.#known.delete(nodeId);
  }

  #remember(members: readonly Member[]): void {
    for (const member of members) this.#known.set(member.nodeId, member);
  }

  /** Properties that the view places on others are released, the most used first, and activated there. */
  #releaseOthers(): Promise<void> {
    this.#departing = this.#departing.then(() => this.#depart());
    return this.#departing;
  }

  /** A few at a time: each is served here until its own move, and unavailable only during it. */
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
    // A newer view may have given it back.
    if (owner?.nodeId === placement.self.nodeId) return;
    const left = host.release(to).then(
      () => (this.#handedOver += 1),
      (error: unknown) => log.warn({ error: String(error) }, 'a property could not be handed over'),
    );
    // One that cannot be released does not block the others; its next owner requests it.
    await Promise.race([left, pause(LEAVE_ONE_MS, undefined, UNHELD)]);
    if (!owner) return;
    const woken = links.takeOver(owner, to).catch(() => undefined);
    if (performance.now() < this.#calmUntil) await woken;
  }
}

/** How to call the property on this node, or on its owner. */
type Ways<T> = {
  here(): Promise<T>;
  there(owner: Member): Promise<T>;
  /** A call may be retried: a key has its effect once. */
  effect: 'none' | 'once' | 'each time';
  /** Whether the calling request may be forwarded to the owner instead. */
  mayGoWhole?: boolean;
};

function isWorthAnotherTry(error: unknown, effect: Ways<unknown>['effect']): boolean {
  if (error instanceof LinkLost) return effect !== 'each time' || !error.mayHaveRun;
  return error instanceof NotOwner || error instanceof NotServed;
}

/** Once an actor has a command of a request, the request cannot be forwarded as a whole any more. */
async function begunWith<T>(scope: RequestScope | undefined, work: () => Promise<T>): Promise<T> {
  if (!scope || scope.begun) return work();
  scope.begun = true;
  try {
    return await work();
  } catch (error) {
    if (error instanceof Passivating || error instanceof OwnedByOtherNode) scope.begun = false;
    throw error;
  }
}

/** What nodes say to each other, in the words for clients. That nothing was done is true of all tries, or not said. */
function explained(error: unknown, mayHaveRun: boolean): unknown {
  const forwarded = error instanceof LinkLost || error instanceof NotOwner ? new NotServed() : error;
  if (!mayHaveRun || !(forwarded instanceof DomainError) || forwarded.code !== 'NOT_EXECUTED') return forwarded;
  return new DomainError('OUTCOME_UNKNOWN', 'The node of the property was lost; repeat with the same key.', {
    retryAfterSeconds: 1,
  });
}
