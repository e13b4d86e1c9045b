import type { AuditHead } from '../domain/audit.ts';
import type { Instant } from '../domain/property-time.ts';

/** Signed heads of the chains of a tenant. */
export interface AuditHeads {
  /** Keeps the head of each chain that has grown since it was last signed; says how many. */
  sign(tenantId: string, hour: Instant, sign: (head: AuditHead) => string): Promise<number>;
}
