import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { type RatePreview, previewOf } from '../../rates/operations/preview-rates.ts';
import { rateChangesOf } from '../rules/yield-problem.ts';

/**
 * Reads a change of base rates with the revenue of its nights by the current books, or the changes that an optimization
 * recommends.
 * @throws DomainError RATE_CHANGE_NOT_FOUND
 */
export async function previewRateChange(services: Services, caller: Caller, id: string): Promise<RatePreview> {
  const { tenantId } = caller;
  const [change, optimization] = await Promise.all([
    services.sales.rateChange(tenantId, id),
    services.optimizations.find(tenantId, id),
  ]);
  const changes = change?.value.changes ?? (optimization?.plan && rateChangesOf(optimization.plan));
  const propertyId = change?.propertyId ?? optimization?.propertyId;
  if (!changes || propertyId === undefined)
    throw new DomainError('RATE_CHANGE_NOT_FOUND', 'The tenant has no such change of rates.');
  const view = await services.properties.view({ tenantId, propertyId });
  return previewOf(view, optimization ? 'OPTIMIZATION' : 'RATE_CHANGE', id, changes, view.seq);
}
