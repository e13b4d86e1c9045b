import type { Caller } from './caller.ts';
import type { Instant } from './property-time.ts';

/** Who makes a change, as audit rows record it. */
export type By = Pick<Caller, 'tenantId' | 'subject' | 'requestId'>;

/** A write outside of actors: its subject, before and after. */
export type AdministrationChange = {
  /** Kind of record, such as `guest`, `service`, `user`. */
  entity: string;
  entityId: string;
  /** In upper case, such as `CREATED`, `CHANGED`, `REMOVED`. */
  action: string;
  /** Absent for a new record. Personal fields of a guest only as ciphertext; never tokens, never cards. */
  before?: unknown;
  /** Absent for a removed record. */
  after?: unknown;
};

/** A row of the administration journal of a tenant. */
export type AdministrationEntry = {
  /** Number of the row within the tenant, from 1 and without gaps. */
  seq: number;
  at: Instant;
  subject: string;
  requestId: string;
  entity: string;
  entityId: string;
  action: string;
  before: unknown;
  after: unknown;
  hash: string;
};

/** A client's `Idempotency-Key` with the fingerprint of its request (docs/reference/api.md#idempotency). */
export type RequestKey = { key: string; fingerprint: string };

/** The result of a write, made now or by an earlier request under the same key. */
export type Done<T> = { result: T; replayed: boolean };
