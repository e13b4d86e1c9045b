import type { Log } from '../../kernel/ports.ts';
import { NODE_ROLES, type NodeRole } from '../../kernel/rules/placement.ts';
import type { LivingNode } from './lease-rows.ts';
import type { Member } from './ports.ts';

/** Times in milliseconds. */
const AFTER = {
  /**
   * Time after which a member missing in Redis is added: a joining one announces itself in both places, not at once.
   */
  addMs: 1_000,
  /** Time after which it is reported: nodes return to a recovered Redis within it. */
  reportMs: 3_000,
  /** Time after which a node with a lease and no announcement is reported: longer than any start or drain. */
  reportSilentMs: 60_000,
};

/** What the leases are compared with. */
type Listed = {
  /** Members that Redis names; while it is unavailable, those named last. */
  members: readonly Member[];
  /** Incarnations in this node's view. */
  present: ReadonlySet<string>;
  self: Member;
  isRedisAway: boolean;
  /** At the start nothing is placed yet, so no time is waited. */
  atOnce: boolean;
  /** By `performance.now()`. */
  now: number;
};

/**
 * Members by their leases in PostgreSQL that Redis does not name: they use another Redis, cannot reach this one, or
 * started while it was away. Without them each side would place the same properties on itself.
 */
export class UnlistedNodes {
  readonly #log: Log;
  /** Since when Redis has not named a node with a lease, by incarnation. */
  readonly #since = new Map<string, number>();
  #added: readonly Member[] = [];
  #left: ReadonlySet<string> = new Set();
  #isSettled = true;
  #missing: readonly string[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Members in addition to those that Redis names. */
  get added(): readonly Member[] {
    return this.#added;
  }

  /** Incarnations that ended their membership while Redis was not available for it. */
  get left(): ReadonlySet<string> {
    return this.#left;
  }

  /** Whether every member by its lease is in the view, or was named by Redis. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Ids of nodes with a lease that Redis does not name, once that lasts. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Updates with the living nodes. */
  judge(living: readonly LivingNode[], { members, present, self, isRedisAway, atOnce, now }: Listed): void {
    const listed = new Set(members.map(({ incarnation }) => incarnation));
    const unlisted = living.filter(({ nodeId, incarnation }) => nodeId !== self.nodeId && !listed.has(incarnation));
    this.#note(unlisted, now);
    // A build that does not announce itself in PostgreSQL is added by its lease while Redis does not name it.
    const candidates = unlisted.filter(({ isMember }) => isMember ?? isRedisAway);
    const isDue = ({ incarnation }: LivingNode): boolean =>
      isRedisAway || atOnce || present.has(incarnation) || this.#missedFor(incarnation, now) >= AFTER.addMs;
    const due = candidates.filter(isDue);
    this.#isSettled = due.length === candidates.length;
    this.#added = due.flatMap((node) => memberOf(node, self));
    const left = isRedisAway ? living.filter(({ isMember }) => isMember === false) : [];
    this.#left = new Set(left.map(({ incarnation }) => incarnation).filter((one) => one !== self.incarnation));
    this.#report(unlisted, isRedisAway, now);
  }

  #note(unlisted: readonly LivingNode[], now: number): void {
    const there = new Set(unlisted.map(({ incarnation }) => incarnation));
    for (const incarnation of this.#since.keys()) if (!there.has(incarnation)) this.#since.delete(incarnation);
    for (const incarnation of there) if (!this.#since.has(incarnation)) this.#since.set(incarnation, now);
  }

  #missedFor(incarnation: string, now: number): number {
    return now - (this.#since.get(incarnation) ?? now);
  }

  /** One line per change; an unavailable Redis has one of its own. */
  #report(unlisted: readonly LivingNode[], isRedisAway: boolean, now: number): void {
    if (isRedisAway) this.#since.clear();
    const missing = unlisted
      .filter(({ incarnation, isMember }) => {
        const reportMs = isMember === true ? AFTER.reportMs : AFTER.reportSilentMs;
        return this.#missedFor(incarnation, now) >= reportMs;
      })
      .map(({ nodeId }) => nodeId)
      .toSorted();
    if (missing.join(' ') === this.#missing.join(' ')) return;
    this.#missing = missing;
    if (missing.length > 0)
      this.#log.warn({ nodes: missing }, 'these nodes have a lease, and the Redis of this node does not name them');
    else if (!isRedisAway) this.#log.info({}, 'the Redis of this node names every node with a lease');
  }
}

/** A node without a known address or role cannot be called. */
export function memberOf(node: LivingNode, { protocol }: Pick<Member, 'protocol'>): Member[] {
  const { nodeId, incarnation, address, role, build, startedAt } = node;
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(address ?? '') ?? [];
  if (host === '' || !isRole(role)) return [];
  return [{ nodeId, incarnation, host, port: Number(port), role, protocol, build: build ?? '', startedAt }];
}

const isRole = (role: string | null): role is NodeRole => NODE_ROLES.includes(role as NodeRole);
