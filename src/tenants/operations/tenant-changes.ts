import { EventEmitter } from 'node:events';

/** What this process has written of tenants: what is remembered of it is old. */
export class TenantChanges extends EventEmitter<{
  /** Who may do what there. */
  changed: [tenantId: string];
  /** What it has instead of defaults. */
  configured: [tenantId: string];
}> {}
