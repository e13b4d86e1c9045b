import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { NightRatesBody } from '../contracts/rates.ts';
import { previewOf, type RatePreview } from './preview-rates.ts';

/**
 * Sets what single nights cost under the best available rate, all or none (docs/reference/rates.md#rates-of-nights).
 * @throws DomainError RATES_MOVED when a night costs something else than `previousRate` says
 */
export async function setNightRates(
  services: Services,
  caller: Caller,
  body: NightRatesBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['SET_NIGHT_RATES']>> {
  return send(services, caller, addressOf(caller, body), commandOf(body), claim(key));
}

/** Previews the effect of new rates on prices and revenue; nothing is changed (`dryRun`). */
export async function previewNightRates(
  services: Services,
  caller: Caller,
  body: NightRatesBody,
): Promise<RatePreview> {
  const to = addressOf(caller, body);
  const { result, seq } = await send(services, caller, to, { ...commandOf(body), dryRun: true });
  return previewOf(await services.properties.view(to), 'RATE_CHANGE', result.rateId, result.changes, seq);
}

const addressOf = ({ tenantId }: Caller, { propertyId }: NightRatesBody) => ({ tenantId, propertyId });

function commandOf({ nights }: NightRatesBody): CommandOf<'SET_NIGHT_RATES'> {
  return {
    type: 'SET_NIGHT_RATES',
    rateId: uuidv7(),
    nights: nights.map(({ roomType, date: day, rate: to, previousRate: from }) => {
      return { roomType, day, to, ...(from !== undefined && { from }) };
    }),
  };
}
