import { LRUCache } from 'lru-cache';

import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Administration } from '../ports.ts';
import { type PropertyPolicies, type StoredSettings, settingsOf, type TenantConfig } from '../rules/tenant.ts';
import type { TenantChanges } from './tenant-changes.ts';

/**
 * As long as a change of a role may take to hold
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
const RETENTION_MS = 30_000;
const MOST_STORED = 10_000;

/** What tenants have instead of the defaults (docs/concepts/tenants-and-roles.md#settings-of-a-tenant). */
export class TenantSettings {
  readonly #administration: Administration;
  readonly #stored = new LRUCache<string, StoredSettings>({ max: MOST_STORED, ttl: RETENTION_MS });

  /** @param changes what a write of this process has changed is read again at once */
  constructor(administration: Administration, changes: TenantChanges) {
    this.#administration = administration;
    changes.on('configured', (tenantId) => this.#stored.delete(tenantId));
  }

  /** What holds for a tenant, as it was half a minute ago or later. */
  async of(tenantId: TenantId): Promise<StoredSettings> {
    const known = this.#stored.get(tenantId);
    if (known) return known;
    const settings = settingsOf(await this.#read(tenantId));
    this.#stored.set(tenantId, settings);
    return settings;
  }

  /** What it says of the policies of its properties, as it is now. */
  async policies(tenantId: TenantId): Promise<Partial<PropertyPolicies>> {
    return (await this.#read(tenantId)).policies ?? {};
  }

  /** A tenant that nobody has made has nothing but defaults. */
  #read(tenantId: TenantId): Promise<TenantConfig> {
    return this.#administration.read(tenantId, async (records) => (await records.tenant())?.config ?? {});
  }
}
