import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { Reply } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Promotion } from '../rules/promotion.ts';
import { getPromotion } from './find-promotions.ts';

/**
 * Pauses or resumes a promotion (docs/reference/rates.md#promotions).
 * @throws DomainError PROMOTION_NOT_FOUND
 */
export async function pausePromotion(
  services: Services,
  caller: Caller,
  id: string,
  paused: boolean,
  key?: ClientKey,
): Promise<Reply<Promotion> & { today: Day }> {
  const { to, today } = await getPromotion(services, caller, id);
  const command = { type: 'PAUSE_PROMOTION' as const, promotionId: id, paused };
  return { ...(await send(services, caller, to, command, claim(key))), today };
}
