import type { Address } from '../../kernel/rules/caller.ts';
import { hasActors, nodeOf, shardOf } from '../../kernel/rules/placement.ts';
import type { ClusterView, Member, Placement } from '../../platform/coordination/ports.ts';

/** A placement whose members the test sets. */
export class GivenPlacement implements Placement {
  readonly self: Member;
  readonly suspected: Member[] = [];
  readonly #listeners: ((view: ClusterView) => void)[] = [];
  view: ClusterView = { version: 0, members: [] };
  /** View found by the next refresh. */
  newest: ClusterView | undefined;
  /** Nodes with a lease that are in no view. */
  readonly leased = new Map<string, Member>();

  constructor(self: Member) {
    this.self = self;
  }

  give(view: ClusterView): void {
    this.view = view;
    for (const listener of this.#listeners) listener(view);
  }

  ownerOf(to: Address): Member | undefined {
    const owners = this.view.members.filter(({ role }) => hasActors(role));
    const nodeId = nodeOf(
      shardOf(to),
      owners.map((member) => member.nodeId),
    );
    return owners.find((member) => member.nodeId === nodeId);
  }

  member(nodeId: string): Member | undefined {
    return this.view.members.find((member) => member.nodeId === nodeId);
  }

  async lookUp(nodeId: string): Promise<Member | undefined> {
    return this.leased.get(nodeId);
  }

  async refresh(atLeast = Infinity): Promise<void> {
    if (this.newest && this.view.version < atLeast && this.newest.version > this.view.version) this.give(this.newest);
  }

  suspect(member: Member): void {
    this.suspected.push(member);
  }

  onChange(listener: (view: ClusterView) => void): void {
    this.#listeners.push(listener);
  }
}
