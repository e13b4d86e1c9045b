import { LRUCache } from 'lru-cache';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Administration } from '../ports.ts';
import { type PropertyPolicies, type StoredSettings, settingsOf, type TenantConfig } from '../rules/tenant.ts';
import type { TenantChanges } from './tenant-changes.ts';

/**
 * As long as a change of a role may take to be effective
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
const RETENTION_MS = 30_000;
const MAX_STORED = 10_000;

/** Cached settings of tenants (docs/concepts/tenants-and-roles.md#settings-of-a-tenant). */
export class TenantSettings {
  readonly #administration: Administration;
  readonly #stored = new LRUCache<string, StoredSettings>({ max: MAX_STORED, ttl: RETENTION_MS });

  /** @param changes writes of this process, which invalidate the cache at once */
  constructor(administration: Administration, changes: TenantChanges) {
    this.#administration = administration;
    changes.on('configured', (tenantId) => this.#stored.delete(tenantId));
  }

  /** Effective settings of a tenant, at most half a minute old. */
  async of(tenantId: TenantId): Promise<StoredSettings> {
    const known = this.#stored.get(tenantId);
    if (known) return known;
    const settings = settingsOf(await this.#read(tenantId));
    this.#stored.set(tenantId, settings);
    return settings;
  }

  /** Current policies of the tenant for its properties. */
  async policies(tenantId: TenantId): Promise<Partial<PropertyPolicies>> {
    return (await this.#read(tenantId)).policies ?? {};
  }

  /** A tenant without a record has the defaults. */
  #read(tenantId: TenantId): Promise<TenantConfig> {
    return this.#administration.read(tenantId, async (records) => (await records.tenant())?.config ?? {});
  }
}
