import type { Instant } from '../domain/property-time.ts';
import type { TenantInShort } from '../domain/tenant.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

/** The tenants of this installation, without their data. */
export interface Tenants {
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
