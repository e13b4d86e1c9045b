import type { Address } from '../../kernel/rules/caller.ts';
import { actorNodes, nodeOf, SHARDS, shardOf } from '../../kernel/rules/placement.ts';
import type { ClusterView, Member } from './ports.ts';

/** A view of the cluster with its placement. */
export class PlacedView {
  readonly #listeners: ((view: ClusterView) => void)[] = [];
  #view: ClusterView = { version: 0, members: [] };
  #byId = new Map<string, Member>();
  #owners: (Member | null | undefined)[] = [];

  get view(): ClusterView {
    return this.#view;
  }

  /** Applies a view, then notifies listeners. */
  become(view: ClusterView): void {
    this.#view = view;
    this.#byId = new Map(view.members.map((member) => [member.nodeId, member]));
    this.#owners = Array.from({ length: SHARDS });
    for (const listener of this.#listeners) listener(view);
  }

  onChange(listener: (view: ClusterView) => void): void {
    this.#listeners.push(listener);
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
}
