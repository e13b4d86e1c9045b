import { EventEmitter } from 'node:events';

/** Events for writes of tenants by this process, which invalidate caches. */
export class TenantChanges extends EventEmitter<{
  /** Users or roles of a tenant. */
  changed: [tenantId: string];
  /** Settings of a tenant. */
  configured: [tenantId: string];
}> {}
