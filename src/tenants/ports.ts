import type { Page, PagePosition } from '../kernel/ports.ts';
import type { AdministrationChange, By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { AuditFilter, AuditHead, AuditPosition, AuditRow } from '../kernel/rules/audit.ts';
import type { Role } from '../kernel/rules/caller.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { RecordKind, StoredRecord, Tenant, TenantInShort, TenantRecord, TenantStatus } from './rules/tenant.ts';

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

/** Filter: records with these values. */
export type Like<K extends RecordKind> = Partial<TenantRecord[K]>;

/** A tenant and its records outside of properties' actors, as one transaction sees them. */
export interface TenantRecords {
  tenant(): Promise<Tenant | undefined>;
  /** Adds a tenant. @returns the stored one; `undefined` where the id is taken */
  addTenant(tenant: Omit<Tenant, 'createdAt' | 'updatedAt'>): Promise<Tenant | undefined>;
  changeTenant(change: Partial<Pick<Tenant, 'name' | 'type' | 'status' | 'config'>>): Promise<Tenant>;
  /** Finds records, including removed ones, which are marked. */
  find<K extends RecordKind>(kind: K, like: Like<K>): Promise<StoredRecord<K> | undefined>;
  /** Lists records, newest first, without removed ones. */
  list<K extends RecordKind>(
    kind: K,
    like: Like<K>,
    limit: number,
    after?: PagePosition,
  ): Promise<Page<StoredRecord<K>>>;
  /** Replaces the record with its id, which also restores a removed one. */
  put<K extends RecordKind>(kind: K, record: TenantRecord[K]): Promise<StoredRecord<K>>;
  /** Removes softly: the row stays. */
  remove(kind: RecordKind, id: string): Promise<void>;
  /** At most `limit` owners of the tenant: neither they nor their associations can be removed. */
  owners(limit: number): Promise<string[]>;
  /** Room types of a property that are not removed; `undefined` without such a property. */
  roomTypes(propertyId: PropertyId): Promise<string[] | undefined>;
  /** Adds a row to the administration journal; once per transaction, as its last statement. */
  note(change: AdministrationChange): Promise<void>;
}

/** Administration of tenants, outside the actors. */
export interface Administration {
  read<T>(tenantId: TenantId, work: (records: TenantRecords) => Promise<T>): Promise<T>;
  /**
   * The recorded answer of an earlier request under the key, for work that no transaction can contain.
   * @throws DomainError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
   */
  answered<T>(by: By, key: RequestKey): Promise<Done<T> | undefined>;
  /**
   * Runs one transaction. Writers of a tenant are serialized, so that what one of them has read stays true. Under a
   * key it takes effect at most once.
   */
  write<T>(by: By, key: RequestKey | undefined, work: (records: TenantRecords) => Promise<T>): Promise<Done<T>>;
}

/** Signs and stores the head of each chain of a tenant that has grown since it was last signed. @returns how many */
export type KeepHeads = (tenantId: TenantId, hour: Instant, sign: (head: AuditHead) => string) => Promise<number>;
