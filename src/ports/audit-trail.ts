import type { AuditFilter, AuditPosition, AuditRow } from '../domain/audit.ts';
import type { Instant } from '../domain/property-time.ts';

/** Rows in order, and where to go on. A page may have fewer than asked for, or none, and still a place to go on. */
export type AuditPage = { rows: AuditRow[]; next?: AuditPosition };

/** Every write of a tenant: the journals of its properties and that of its administration as one list. */
export interface AuditTrail {
  /**
   * Newest first, behind `after`.
   * @param now nothing later is looked for
   * @throws Refusal NOT_EXECUTED when too many read already
   */
  page(tenantId: string, filter: AuditFilter, limit: number, now: Instant, after?: AuditPosition): Promise<AuditPage>;
}
