import type { Address } from '../kernel/rules/caller.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { DemoPace } from './rules/pace.ts';

/** How far the demo of a property has come. */
export type DemoState = Address & {
  seed: number;
  /** When the property began to live. */
  beganAt: Instant;
  partsDone: number;
  parts: number;
  /** The guests' clock. */
  bookedUntil: Instant;
  pace: DemoPace;
};

/** States of the demo, which survive a restart. A property without one does not live. */
export interface DemoStates {
  of(tenantId: TenantId): Promise<DemoState[]>;
  /** Sets the pace of all properties of a tenant; returns whether it has any that live. */
  setPace(tenantId: TenantId, pace: DemoPace): Promise<boolean>;
  /** Moves the guests' clock of a property forward. */
  bookedUntil(to: Address, at: Instant): Promise<void>;
}

/** Answer of the service to a request of a guest or the desk. */
export type HotelAnswer = {
  status: number;
  /** Code of the problem of an answer that is none. */
  code?: string;
  body: unknown;
  /** Set where the service wants no request for a while: too many came, or it does not answer. */
  retryAfterMs?: number;
};

/** The REST API of the running service, for one demo user (docs/concepts/demo.md#guests-who-arrive). */
export interface HotelClient {
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, key?: string): Promise<HotelAnswer>;
}
