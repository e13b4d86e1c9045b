import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { RestrictionsBody, RestrictionsQuery } from '../contracts/restrictions.ts';
import type { NightRestriction } from '../rules/queries.ts';

/** Sets restrictions of nights (docs/reference/rates.md#restrictions). */
export async function setRestrictions(
  services: Services,
  caller: Caller,
  body: RestrictionsBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['SET_RESTRICTIONS']>> {
  const { propertyId, rateCode, roomType, roomTypes, startDate: start, endDate: end, ...rest } = body;
  const { daysOfWeek: weekdays, ...change } = rest;
  const [first = roomType, ...otherTypes] = roomTypes ?? [];
  const to = { tenantId: caller.tenantId, propertyId };
  const command = { type: 'SET_RESTRICTIONS' as const, rateCode, roomType: first, start, end, weekdays, change };
  const wanted = otherTypes.length > 0 ? { ...command, otherTypes } : command;
  return send(services, caller, to, wanted, claim(key));
}

/** Reads nights with restrictions, from memory. */
export async function readRestrictions(
  services: Services,
  caller: Caller,
  { propertyId, startDate, endDate, rateCode, roomType }: RestrictionsQuery,
): Promise<{ items: NightRestriction[]; seq: number }> {
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId });
  return { items: view.restrictions(startDate, endDate, { rateCode, roomType }), seq: view.seq };
}
