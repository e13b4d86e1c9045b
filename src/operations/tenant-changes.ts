import { EventEmitter } from 'node:events';

/** Who may do what in a tenant has changed, by a write of this process: what is remembered of it is old. */
export class TenantChanges extends EventEmitter<{ changed: [tenantId: string] }> {}
