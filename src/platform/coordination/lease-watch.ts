import { LRUCache } from 'lru-cache';
import type { Client } from 'pg';

import { announceLife, type LivingNode, livingNodes, withdrawLife } from './lease-rows.ts';
import type { Member } from './ports.ts';
import { memberOf } from './unlisted-nodes.ts';
import { ANSWER_MS, within } from './within.ts';

/** A node announces itself in PostgreSQL so often, as in Redis. */
const ANNOUNCE_EVERY_MS = 1_000;
/** Requests for the same unknown node query once in this time. */
const LOOK_UP_EVERY_MS = 250;
/** Nodes that were looked up and are remembered for that long. */
const MOST_LOOKED_UP = 100;

/** What a node says of itself, and sees of others, in the lease table. */
export class LeaseWatch {
  readonly #self: Member;
  readonly #system: () => Promise<Client>;
  readonly #lookedUp = new LRUCache<string, Promise<Member | undefined>>({
    max: MOST_LOOKED_UP,
    ttl: LOOK_UP_EVERY_MS,
  });
  #announcedAt = -Infinity;
  #announcedVersion = -1;
  /** Whether PostgreSQL may believe that this node is a member. */
  #isAnnounced = false;

  /** @param system a connection as innkeeper_system */
  constructor(self: Member, system: () => Promise<Client>) {
    this.#self = self;
    this.#system = system;
  }

  /** Every node whose lease holds. @throws what the database throws, and Error when it does not answer */
  living(withinMs = ANSWER_MS): Promise<LivingNode[]> {
    return within(withinMs, this.#system().then(livingNodes));
  }

  /**
   * Says that this node is a member, or is none any more; costs nothing where PostgreSQL knows already.
   * @throws as `living`
   */
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

  /** Takes back that this node is a member; what fails is tried again by `announce`. Never throws. */
  async withdraw(withinMs: number): Promise<void> {
    await this.#withdraw(withinMs).catch(() => undefined);
  }

  /** A node by its lease, whether it is a member or not; undefined where it has none, or nobody knows. */
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
