import type { Clock, Log } from '../../src/kernel/ports.ts';
import type { FollowFrom, LiveFeed, LiveListener } from '../../src/kernel/property-actors.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import type { Envelope, Reply } from '../../src/kernel/rules/commands.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { Placement } from '../../src/platform/coordination/ports.ts';
import type { TenantChange, ForwardedAnswer, ForwardedRequest } from './node-call.ts';
import type { NodeQuestion } from './node-looks.ts';

/** Operations on properties for other nodes. */
export interface OwnedProperties {
  /** @throws NotOwner */
  executeHere(to: Address, envelope: Envelope, viewVersion: number): Promise<Reply<unknown>>;
  /** @throws NotOwner */
  followHere(
    to: Address,
    from: FollowFrom | undefined,
    listener: LiveListener,
    viewVersion: number,
  ): Promise<LiveFeed>;
  /** @throws NotOwner */
  mustOwn(to: Address, viewVersion: number): Promise<void>;
  /** Whether this node owns the property, by the view it knows. */
  isMine(to: Address): boolean;
  /** @returns whether the property was released: a resident one is not */
  release(to: Address): Promise<boolean>;
  activate(to: Address): Promise<void>;
  forgetRates(tenantId: TenantId): Promise<number>;
}

/** Handlers for calls of other nodes. */
export type NodeRpc = {
  secret: string;
  placement: Placement;
  clock: Clock;
  log: Log;
  /** Absent until this node can serve. */
  properties?: OwnedProperties;
  request?(request: ForwardedRequest): Promise<ForwardedAnswer>;
  report?(): Promise<unknown>;
  look?(what: NodeQuestion): Promise<unknown>;
  /** The development clock was moved. */
  clockMoved?(): Promise<void>;
  /** Another node has changed a tenant: cached data of it is outdated. */
  tenantChanged?(what: TenantChange, tenantId: TenantId): void;
};
