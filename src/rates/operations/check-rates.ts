import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { type Finding, findingsIn } from '../rules/rate-findings.ts';

/** Finds errors and oddities in the rates of a property (docs/reference/rates.md#administration). */
export async function checkRates(
  services: Services,
  { tenantId }: Caller,
  propertyId: PropertyId,
): Promise<{ propertyId: PropertyId; valid: boolean; findings: Finding[]; seq: number }> {
  const view = await services.properties.view({ tenantId, propertyId });
  const { businessDate: start, lastNight: end, setup } = view;
  const restrictions = view.restrictions(start, end, {});
  const nights = view.rateNights(start, end);
  const zeroNights = view.zeroNights(start, end);
  const promotions = view.promotions.filter(({ validity }) => validity.end >= start);
  const findings = findingsIn({ start, end, ...setup, nights, zeroNights, promotions, restrictions });
  return { propertyId, valid: !findings.some(({ severity }) => severity === 'ERROR'), findings, seq: view.seq };
}
