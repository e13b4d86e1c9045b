import type { Caller } from './caller.ts';
import type { Instant } from './property-time.ts';

/** Who does it, as audit rows record him. */
export type By = Pick<Caller, 'tenantId' | 'subject' | 'requestId'>;

/** A write that no property decides: what it was about, and how that was before and is now. */
export type AdministrationChange = {
  /** Kind of thing, such as `guest`, `service`, `user`. */
  entity: string;
  entityId: string;
  /** In upper case, such as `CREATED`, `CHANGED`, `REMOVED`. */
  action: string;
  /** Absent where there was nothing. Personal fields of a guest only as ciphertext; never tokens, never cards. */
  before?: unknown;
  /** Absent where nothing is left. */
  after?: unknown;
};

/** A row of the administration journal of a tenant. */
export type AdministrationEntry = {
  /** Counts the rows of the tenant, from 1 and without a gap. */
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

/** What was done, now or by an earlier request under the same key. */
export type Done<T> = { result: T; replayed: boolean };
