import type { Page, PagePosition } from '../kernel/ports.ts';
import type { AuditFilter, AuditPosition, AuditRow } from '../kernel/rules/audit.ts';
import type { Role } from '../kernel/rules/caller.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { TenantInShort, TenantStatus } from './rules/tenant.ts';

/**
 * A user's place in a tenant: the token says who, this says what they may do
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export type Association = { userId: string; role: Role; tenantStatus: TenantStatus };

/** Users and their tenants. */
export interface Associations {
  /** `undefined` for an unknown tenant, an unknown user, and a user without a role there: all look the same. */
  find(tenantId: TenantId, issuer: string, subject: string): Promise<Association | undefined>;
}

/** Rows in order, and where to go on. A page may have fewer than requested, or none, and still a place to go on. */
export type AuditPage = { rows: AuditRow[]; next?: AuditPosition };

/** Every write of a tenant: the journals of its properties and that of its administration as one list. */
export interface AuditTrailReader {
  /**
   * Newest first, behind `after`.
   * @param now nothing later is looked for
   * @throws DomainError NOT_EXECUTED when too many read already
   */
  page(
    tenantId: TenantId,
    filter: AuditFilter,
    limit: number,
    now: Instant,
    after?: AuditPosition,
  ): Promise<AuditPage>;
}

/** Where a session is found: in a tenant, under the hash of what its browser has. */
export type SessionPlace = { tenantId: TenantId; id: string };

/** The stored part of a session; only its owner's process can read it. */
export type StoredSession = { sealed: string; endsAt: Instant };

/** Sessions of browsers, for every node and over restarts. Instants are of the real clock. */
export interface BrowserSessionStore {
  /** Adds a session; those of the tenant that are over go. */
  keep(place: SessionPlace, session: StoredSession): Promise<void>;
  /** What was sealed; `undefined` when there is no such session, or none any more. */
  find(place: SessionPlace): Promise<string | undefined>;
  /** Takes the lock to renew a session for this time. @returns false where somebody has it, or the session is gone */
  claim(place: SessionPlace, forMs: number): Promise<boolean>;
  /** Puts a renewed session in the place of the old one, if that has not been ended, and releases the lock. */
  renew(place: SessionPlace, session: StoredSession): Promise<void>;
  /** Removes a session. @returns what was sealed */
  end(place: SessionPlace): Promise<string | undefined>;
}

/** The tenants of this installation, without their data. */
export interface TenantStore {
  /**
   * Those whose due jobs go on (docs/concepts/tenants-and-roles.md#status-of-a-tenant): neither INACTIVE nor CANCELLED.
   */
  running(): Promise<string[]>;
}

/** The same for operators. */
export interface TenantDirectory {
  /** All of them, newest first. */
  list(limit: number, after?: PagePosition): Promise<Page<TenantInShort>>;
  /** Those whose jobs go on and that were changed since. */
  changedSince(since: Instant): Promise<string[]>;
}
