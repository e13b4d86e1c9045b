import type { AdministrationChange, By, Done, RequestKey } from '../domain/administration.ts';
import type { Kept, RecordKind, Tenant, TenantRecord } from '../domain/tenant.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

/** What is looked for: records that have these values. */
export type Like<K extends RecordKind> = Partial<TenantRecord[K]>;

/** The tenant with what belongs to it and to no house's actor, as one transaction sees it. */
export interface TenantRecords {
  tenant(): Promise<Tenant | undefined>;
  /** Answers what is there then; `undefined` where there is a tenant of this id already. */
  addTenant(tenant: Omit<Tenant, 'createdAt' | 'updatedAt'>): Promise<Tenant | undefined>;
  changeTenant(change: Partial<Pick<Tenant, 'name' | 'type' | 'status' | 'config'>>): Promise<Tenant>;
  /** Also what was removed, which says so. */
  find<K extends RecordKind>(kind: K, like: Like<K>): Promise<Kept<K> | undefined>;
  /** Newest first, without what was removed. */
  list<K extends RecordKind>(kind: K, like: Like<K>, limit: number, after?: PagePosition): Promise<Page<Kept<K>>>;
  /** In the place of the record with its id, which is there again if it was removed. */
  put<K extends RecordKind>(kind: K, record: TenantRecord[K]): Promise<Kept<K>>;
  /** Softly: its row stays. */
  remove(kind: RecordKind, id: string): Promise<void>;
  /** Users who own the tenant: neither they nor their associations are removed. At most `limit`. */
  owners(limit: number): Promise<string[]>;
  /** Room types of a house that were not removed; `undefined` without such a house. */
  roomTypes(propertyId: string): Promise<string[] | undefined>;
  /** Adds a row to the administration journal; once, as the last thing. */
  note(change: AdministrationChange): Promise<void>;
}

/** Administration of tenants, beside the actors. */
export interface Administration {
  read<T>(tenantId: string, work: (records: TenantRecords) => Promise<T>): Promise<T>;
  /**
   * What an earlier request under the key was answered, for work that no transaction can hold.
   * @throws Refusal IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS
   */
  answered<T>(by: By, key: RequestKey): Promise<Done<T> | undefined>;
  /**
   * One transaction, of which all is kept or nothing. Writers of a tenant take turns, so what one of them has looked up
   * stays true. Under a key it has at most one effect.
   */
  write<T>(by: By, key: RequestKey | undefined, work: (records: TenantRecords) => Promise<T>): Promise<Done<T>>;
}
