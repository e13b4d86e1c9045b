import type { Caller } from '../domain/caller.ts';
import type { Services } from './services.ts';

/**
 * Forgets what this node has cached of a tenant's rates (contracts.md 6, `DELETE /admin/cache/rates`): analyses go, and
 * the rates in the memory of its properties are believed no more before they have been checked.
 */
export function flushRates({ analyses, properties }: Services, { tenantId }: Caller): { evicted: number } {
  return { evicted: analyses.forget(tenantId) + properties.forgetRates(tenantId) };
}
