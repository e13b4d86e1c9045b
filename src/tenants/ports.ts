import type { Page, PagePosition } from '../kernel/ports.ts';
import type { AdministrationChange, By, Done, RequestKey } from '../kernel/rules/administration.ts';
import type { AuditFilter, AuditHead, AuditPosition, AuditRow } from '../kernel/rules/audit.ts';
import type { Role } from '../kernel/rules/caller.ts';
import type { PropertyId, TenantId } from '../kernel/rules/ids.ts';
import type { Instant } from '../kernel/rules/property-time.ts';
import type { PersonId, PreferenceChange, Preferences } from './rules/preferences.ts';
import type { RecordKind, StoredRecord, Tenant, TenantInShort, TenantRecord, TenantStatus } from './rules/tenant.ts';

/**
 * A user's place in a tenant: the token identifies the user, the association gives the role
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export type Association = {
  userId: string;
  role: Role;
  tenantStatus: TenantStatus;
  /** Marks of his access tokens whose sessions were ended before the tokens are over. */
  endedTokens?: readonly string[];
};

export interface Associations {
  /** `undefined` for an unknown tenant, an unknown user, and a user without a role there, which look the same. */
  find(tenantId: TenantId, issuer: string, subject: string): Promise<Association | undefined>;
}

/**
 * Rows in order, and the position for the next page. A page may have fewer rows than requested, or none, and still a
 * next position.
 */
type AuditPage = { rows: AuditRow[]; next?: AuditPosition };

/**
 * Every write of a tenant, newest first, after `after`: the journals of its properties and its administration journal
 * as one list.
 * @param now end of the search
 * @throws DomainError NOT_EXECUTED when too many requests read already
 */
export type AuditTrailReader = (
  tenantId: TenantId,
  filter: AuditFilter,
  limit: number,
  now: Instant,
  after?: AuditPosition,
) => Promise<AuditPage>;

/** Key of a session: its tenant, and the hash of the browser's secret. */
export type SessionPlace = { tenantId: TenantId; id: string };

/** The access token of a session, by its mark. */
type TokenOfSession = { mark: string; endsAt: Instant };

/** The stored part of a session; only the process with the key can read it. */
export type StoredSession = { sealed: string; endsAt: Instant; token: TokenOfSession };

/** Whose session it is, and from where it is used. */
type SessionUse = { person: PersonId; browser: string; token: TokenOfSession };

/** A session as its person sees it. */
export type OwnSession = SessionPlace & { browser: string | null; beganAt: Instant | null; usedAt: Instant | null };

/** Browser sessions for every node and over restarts. Instants are of the real clock. */
export interface BrowserSessionStore {
  /** Adds a session, and removes those of the tenant that have expired. */
  store(place: SessionPlace, session: StoredSession): Promise<void>;
  /** Encrypted content; `undefined` when the session does not exist or has expired. */
  find(place: SessionPlace): Promise<string | undefined>;
  /** Locks a session for its renewal for this time. @returns false when it is locked, or has ended */
  claim(place: SessionPlace, forMs: number): Promise<boolean>;
  /** Replaces a session by its renewed one, unless it has ended, and releases the lock. */
  renew(place: SessionPlace, session: StoredSession): Promise<void>;
  /** Removes a session, and ends its access token. @returns its encrypted content */
  end(place: SessionPlace): Promise<string | undefined>;
  /** Notes that a session is used now. */
  used(place: SessionPlace, use: SessionUse): Promise<void>;
  /** Sessions of a person in all tenants, the last used first. */
  ofPerson(person: PersonId, limit: number): Promise<OwnSession[]>;
  /**
   * Removes one session of a person, or all but one, and ends their access tokens.
   * @returns places and encrypted contents of those that were removed
   */
  endOfPerson(person: PersonId, which: WhichSessions): Promise<(SessionPlace & { sealed: string })[]>;
}

/** One session, or all others. */
export type WhichSessions = { id: string } | { butFor: string | undefined };

/** What belongs to a person and to none of his tenants. */
export interface People {
  preferences(person: PersonId): Promise<Preferences>;
  /** Sets the members of the change; the last one wins. @returns all of them */
  prefer(person: PersonId, change: PreferenceChange): Promise<Preferences>;
  /** Whether the session of this access token was ended. */
  hasEnded(person: PersonId, mark: string): Promise<boolean>;
}

/** A tenant of a person, and his role there. */
export type TenantOfPerson = Pick<TenantInShort, 'tenantId' | 'name' | 'status'> & { role: Role };

/** The tenants of this installation, without their data. */
export interface TenantStore {
  /**
   * Tenants whose due jobs run (docs/concepts/tenants-and-roles.md#status-of-a-tenant): neither INACTIVE nor CANCELLED.
   */
  running(): Promise<string[]>;
}

/** Tenants for operators. */
export interface TenantDirectory {
  /** Those with `part` in their id or name, in any case; all of them without it, newest first. */
  list(limit: number, after?: PagePosition, part?: string): Promise<Page<TenantInShort>>;
  /** Those in which a person has a role, by name. */
  ofPerson(issuer: string, subject: string, limit: number): Promise<TenantOfPerson[]>;
  /** Tenants changed since, among those whose jobs run. */
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
  /** Letters of invitations that were ordered in the 24 hours before, also of those that are over. */
  lettersOfDay(now: Instant): Promise<number>;
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

/** Names of users by their ids; those of others, such as `system`, are absent. */
export type UserNames = (tenantId: TenantId, subjects: readonly string[]) => Promise<ReadonlyMap<string, string>>;
