import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { Season } from '../../kernel/rules/commands/rates.ts';
import type { BaseRatesBody } from '../contracts/rates.ts';
import { previewOf, type RatePreview } from './preview-rates.ts';

/** Sets base rates and seasons of a room type (docs/reference/rates.md#base-rates). */
export async function setBaseRates(
  services: Services,
  caller: Caller,
  body: BaseRatesBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['SET_BASE_RATES']>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  return send(services, caller, to, commandOf(body), claim(key));
}

/** Previews the effect of new base rates on prices and revenue; nothing is changed (`dryRun`). */
export async function previewBaseRates(
  services: Services,
  caller: Caller,
  body: BaseRatesBody,
): Promise<RatePreview> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const { result, seq } = await send(services, caller, to, { ...commandOf(body), dryRun: true });
  return previewOf(await services.properties.view(to), 'RATE_CHANGE', result.rateId, result.changes!, seq);
}

function commandOf(body: BaseRatesBody): CommandOf<'SET_BASE_RATES'> {
  const { effectiveDate: start, endDate: end, roomType } = body;
  const rates = body.rates.map(({ dayOfWeek, rate }) => ({ weekday: dayOfWeek, rate }));
  const seasons = body.seasonalAdjustments.map(seasonOf);
  return { type: 'SET_BASE_RATES', rateId: uuidv7(), roomType, start, end, rates, seasons };
}

/** A season as two numbers: multiplier in hundredths and amount; PERCENTAGE p is MULTIPLIER 1 + p/100. */
function seasonOf(season: BaseRatesBody['seasonalAdjustments'][0]): Season {
  const { name, startDate: start, endDate: end, adjustment, adjustmentType } = season;
  switch (adjustmentType) {
    case 'MULTIPLIER':
      return { name, start, end, multiplier: Math.round(adjustment * 100), amount: 0 };
    case 'PERCENTAGE':
      return { name, start, end, multiplier: 100 + adjustment, amount: 0 };
    case 'AMOUNT':
      return { name, start, end, multiplier: 100, amount: adjustment };
  }
}
