import { EventEmitter } from 'node:events';

import type { TenantId } from '../../kernel/rules/ids.ts';

/** What this process has written of tenants: what is remembered of it is old. */
export class TenantChanges extends EventEmitter<{
  /** Who may do what there. */
  changed: [tenantId: TenantId];
  /** What it has instead of defaults. */
  configured: [tenantId: TenantId];
}> {}
