import type { Address } from '../domain/caller.ts';
import type { NodeRole } from '../domain/placement.ts';

/** A node as the others know it (docs/concepts/cluster.md#placement). */
export type Member = {
  nodeId: string;
  /** Another one after each start: tells a node from its earlier lives. */
  incarnation: string;
  /** Where other nodes reach it. */
  host: string;
  port: number;
  role: NodeRole;
  /** Version of what nodes say to each other; nodes of different protocols cannot be in one cluster. */
  protocol: number;
  /** Version of the program, for people. */
  build: string;
  /** Milliseconds since 1970, by its machine, or by the database where only its lease tells: nothing hangs on it. */
  startedAt: number;
};

/** Who is there, as of a number that grows with every change. */
export type ClusterView = { version: number; members: readonly Member[] };

/** Whom this node believes to own what. A hint: the truth is in PostgreSQL, and a wrong one costs a hop. */
export interface Placement {
  readonly self: Member;
  readonly view: ClusterView;
  /** The node whose shard the property is in; `undefined` when no node has actors. */
  ownerOf(to: Address): Member | undefined;
  /** A member of the view. */
  member(nodeId: string): Member | undefined;
  /** A node that may be in no view, by its lease in PostgreSQL: who has a property and is known to nobody else. */
  lookUp(nodeId: string): Promise<Member | undefined>;
  /** Asks again who is there, unless at least this version is known; never throws, and takes a second at most. */
  refresh(atLeast?: number): Promise<void>;
  /** A call to it found nobody: whether it is dead is asked of PostgreSQL, and if so the view goes on without it. */
  suspect(member: Member): void;
  /** Told of each new view, after it holds. */
  onChange(listener: (view: ClusterView) => void): void;
}

/** The members of a view beside this node. */
export function othersOf({ view, self }: Pick<Placement, 'view' | 'self'>): Member[] {
  return view.members.filter(({ nodeId }) => nodeId !== self.nodeId);
}
