import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { NewPromotion } from '../../kernel/rules/commands/rates.ts';
import type { PromotionBody } from '../contracts/promotions.ts';
import { crockford } from '../rules/crockford.ts';
import { estimate } from '../rules/promotion-estimate.ts';

/** Random bytes of a generated code. */
const CODE_BYTES = 8;

/** Creates a promotion (docs/reference/rates.md#promotions) and estimates its bookings and revenue. */
export async function createPromotion(
  services: Services,
  caller: Caller,
  body: PromotionBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['CREATE_PROMOTION']>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  const view = await services.properties.view(to);
  const promotion = promotionOf(body);
  const estimated = estimate(promotion, view.grid(view.businessDate, view.lastNight), view.businessDate);
  const command = { type: 'CREATE_PROMOTION' as const, promotion, estimate: estimated };
  return send(services, caller, to, command, claim(key));
}

function promotionOf(body: PromotionBody): NewPromotion {
  const { validity, conditions, inventory, discount, description, roomTypes } = body;
  const { stayPeriod } = validity;
  return {
    id: uuidv7(),
    name: body.promotionName,
    description,
    promoCode: body.promoCode ?? crockford(randomBytes(CODE_BYTES)),
    discount,
    validity: { start: validity.startDate, end: validity.endDate },
    stayPeriod: stayPeriod && { start: stayPeriod.startDate, end: stayPeriod.endDate },
    roomTypes,
    conditions,
    inventory,
  };
}
