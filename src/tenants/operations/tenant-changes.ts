import { EventEmitter } from 'node:events';

import type { TenantId } from '../../kernel/rules/ids.ts';

/** Events for writes of tenants by this process, which invalidate caches. */
export class TenantChanges extends EventEmitter<{
  /** Users or roles of a tenant. */
  changed: [tenantId: TenantId];
  /** Settings of a tenant. */
  configured: [tenantId: TenantId];
}> {}
