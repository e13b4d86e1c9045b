import type { Services } from '../../../kernel/operations/services.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { DemandModelQuery } from '../../contracts/demand-model.ts';
import type { DemandModel } from '../../rules/demand-learning/learn-demand.ts';
import { demandModel, type Learning } from './demand-models.ts';

/**
 * Reads what a property has learned about its guests (docs/reference/rates.md#demand-model).
 * @throws DomainError PROPERTY_NOT_FOUND
 */
export async function readDemandModel(
  services: Learning & Pick<Services, 'properties'>,
  { tenantId }: Caller,
  { propertyId }: DemandModelQuery,
): Promise<{ model: DemandModel; asOf: Instant; seq: number }> {
  const to = { tenantId, propertyId };
  const view = await services.properties.view(to);
  return { model: await demandModel(services, to, view), asOf: view.at, seq: view.seq };
}
