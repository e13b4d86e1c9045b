import { LRUCache } from 'lru-cache';
import type { Client } from 'pg';

import { ANSWER_MS, within } from './answer-timeout.ts';
import { announceLife, type LivingNode, livingNodes, withdrawLife } from './lease-rows.ts';
import type { Member } from './ports.ts';
import { memberOf } from './unlisted-nodes.ts';

/** Interval of announcements in PostgreSQL, as in Redis. */
const ANNOUNCE_EVERY_MS = 1_000;
/** Requests for the same unknown node query once within this time. */
const LOOK_UP_EVERY_MS = 250;
/** Looked up nodes remembered for that long. */
const MAX_LOOKED_UP = 100;

/** Announces this node in the lease table, and reads the others. */
export class LeaseWatch {
  readonly #self: Member;
  readonly #system: () => Promise<Client>;
  readonly #lookedUp = new LRUCache<string, Promise<Member | undefined>>({
    max: MAX_LOOKED_UP,
    ttl: LOOK_UP_EVERY_MS,
  });
  #announcedAt = -Infinity;
  #announcedVersion = -1;
  /** Whether PostgreSQL may still record this node as a member. */
  #isAnnounced = false;

  /** @param system a connection as innkeeper_system */
  constructor(self: Member, system: () => Promise<Client>) {
    this.#self = self;
    this.#system = system;
  }

  /** Every node with a valid lease. @throws what the database throws, and Error when it does not answer */
  living(withinMs = ANSWER_MS): Promise<LivingNode[]> {
    return within(withinMs, this.#system().then(livingNodes));
  }

  /** Announces this node as a member, or as none; no query where PostgreSQL has it already. @throws as `living` */
  async announce(isMember: boolean, viewVersion: number): Promise<void> {
    if (!isMember) return this.#isAnnounced ? this.#withdraw(ANSWER_MS) : undefined;
    const now = performance.now();
    if (now - this.#announcedAt < ANNOUNCE_EVERY_MS && viewVersion === this.#announcedVersion) return;
    this.#isAnnounced = true;
    await within(
      ANSWER_MS,
      this.#system().then((client) => announceLife(client, this.#self, viewVersion)),
    );
    [this.#announcedAt, this.#announcedVersion] = [now, viewVersion];
  }

  /** Ends this node's membership; a failure is retried by `announce`. Never throws. */
  async withdraw(withinMs: number): Promise<void> {
    await this.#withdraw(withinMs).catch(() => undefined);
  }

  /** A node by its lease, member or not; undefined where it has none, or the database does not answer. */
  memberOf(nodeId: string): Promise<Member | undefined> {
    const known = this.#lookedUp.get(nodeId);
    if (known) return known;
    const found = this.living().then(
      (living) => living.filter((node) => node.nodeId === nodeId).flatMap((node) => memberOf(node, this.#self))[0],
      () => undefined,
    );
    this.#lookedUp.set(nodeId, found);
    return found;
  }

  async #withdraw(withinMs: number): Promise<void> {
    await within(
      withinMs,
      this.#system().then((client) => withdrawLife(client, this.#self)),
    );
    this.#isAnnounced = false;
    this.#announcedAt = -Infinity;
  }
}
