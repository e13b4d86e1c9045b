import { LRUCache } from 'lru-cache';

import type { Administration } from '../../kernel/ports.ts';
import { type PropertyPolicies, type Settings, settingsOf, type TenantConfig } from '../rules/tenant.ts';
import type { TenantChanges } from './tenant-changes.ts';

/**
 * As long as a change of a role may take to hold
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
const KEPT_MS = 30_000;
const MOST_KEPT = 10_000;

/** What tenants have instead of the defaults (docs/concepts/tenants-and-roles.md#settings-of-a-tenant). */
export class TenantSettings {
  readonly #administration: Administration;
  readonly #kept = new LRUCache<string, Settings>({ max: MOST_KEPT, ttl: KEPT_MS });

  /** @param changes what a write of this process has changed is read again at once */
  constructor(administration: Administration, changes: TenantChanges) {
    this.#administration = administration;
    changes.on('configured', (tenantId) => this.#kept.delete(tenantId));
  }

  /** What holds for a tenant, as it was half a minute ago or later. */
  async of(tenantId: string): Promise<Settings> {
    const known = this.#kept.get(tenantId);
    if (known) return known;
    const settings = settingsOf(await this.#read(tenantId));
    this.#kept.set(tenantId, settings);
    return settings;
  }

  /** What it says of the policies of its houses, as it is now. */
  async policies(tenantId: string): Promise<Partial<PropertyPolicies>> {
    return (await this.#read(tenantId)).policies ?? {};
  }

  /** A tenant that nobody has made has nothing but defaults. */
  #read(tenantId: string): Promise<TenantConfig> {
    return this.#administration.read(tenantId, async (records) => (await records.tenant())?.config ?? {});
  }
}
