import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { isRemembered, type Promotion, promotionFault, promotionStatus } from '../../../src/rates/rules/promotion.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';

/** Promotions in the memory of a property: a bound. */
const MAX_PROMOTIONS = 1_000;

/** Creates a promotion that can be booked from now on (docs/reference/rates.md#promotions). */
export function decideCreatePromotion(
  draft: Draft,
  { promotion, estimate }: CommandOf<'CREATE_PROMOTION'>,
  context: DecisionContext,
): Decision<'CREATE_PROMOTION'> {
  const { promoCode, roomTypes, id } = promotion;
  if (draft.promotions.has(promoCode)) throw new DomainError('PROMO_CODE_TAKEN', `The code ${promoCode} is taken.`);
  if (draft.promotions.size >= MAX_PROMOTIONS)
    throw new DomainError('VALIDATION_FAILED', 'The property has too many promotions.', {
      errors: [
        { pointer: '/propertyId', code: 'TOO_MANY', detail: `has ${MAX_PROMOTIONS} promotions, which is the most` },
      ],
    });
  if (promotion.validity.end < draft.today)
    throw new DomainError('VALIDATION_FAILED', 'The promotion would be over before it begins.', {
      errors: [{ pointer: '/validity/endDate', code: 'IN_THE_PAST', detail: 'is before today at the property' }],
    });
  const unknown = roomTypes?.find((type) => !draft.roomTypes.has(type));
  if (unknown !== undefined) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${unknown}.`);
  const created: Promotion = { ...promotion, paused: false, used: 0, usedOn: {}, createdAt: context.now };
  draft.putPromotion(created);
  return {
    result: { promotion: created, estimate },
    entity: id,
    facts: { setup: [{ kind: 'promotion', id, after: promotion }] },
  };
}

/** Pauses or resumes a promotion; existing bookings keep it. */
export function decidePausePromotion(
  draft: Draft,
  { promotionId, paused }: CommandOf<'PAUSE_PROMOTION'>,
): Decision<'PAUSE_PROMOTION'> {
  const promotion = [...draft.promotions.values()].find(({ id }) => id === promotionId);
  if (!promotion) throw new DomainError('PROMOTION_NOT_FOUND', 'The property has no such promotion.');
  const next = { ...promotion, paused };
  draft.putPromotion(next);
  return {
    result: next,
    entity: promotionId,
    facts: {
      setup: [{ kind: 'promotion', id: promotionId, before: { paused: promotion.paused }, after: { paused } }],
    },
  };
}

/**
 * The promotion of a code, when a new stay can take a unit of it. Units that quotes promise to others count as used.
 * @param holder subject and stay that a unit may be promised to
 * @throws DomainError PROMO_NOT_APPLICABLE, PROMO_EXHAUSTED with the first affected day
 */
export function promotionFor(
  { promotions, today, promisedUnits }: Pick<State, 'promotions' | 'today' | 'promisedUnits'>,
  promoCode: string,
  stay: Stay,
  now: Instant,
  holder?: string,
): Promotion {
  const promotion = promotions.get(promoCode);
  if (!promotion) throw new DomainError('PROMO_NOT_APPLICABLE', `The property has no promotion ${promoCode}.`);
  checkUnit(promisedUnits.taken(promotion, now, holder), stay, today);
  return promotion;
}

/** @throws DomainError PROMO_NOT_APPLICABLE, PROMO_EXHAUSTED with the first affected day */
function checkUnit(promotion: Promotion, stay: Stay, today: Day): void {
  const fault = promotionFault(promotion, stay, today);
  if (fault) throw new DomainError(fault.code, fault.detail, { date: formatDay(fault.day) });
}

/** Takes a unit for some nights of a stay, or returns one. */
export function useUnit(draft: Draft, promoCode: string, days: readonly Day[], units: 1 | -1): void {
  const promotion = draft.promotions.get(promoCode);
  // A promotion that ended long ago may not be in memory any more; returned units are then irrelevant.
  if (!promotion) return;
  const usedOn = { ...promotion.usedOn };
  const nights = days.filter((day) => day >= draft.today);
  for (const day of nights) usedOn[day] = Math.max(0, (usedOn[day] ?? 0) + units);
  draft.putPromotion({ ...promotion, used: Math.max(0, promotion.used + units), usedOn }, nights);
}

/** Drops units of past nights, and finally the promotion itself, from memory. Its row records that it has ended. */
export function forgetUnits(draft: Draft): void {
  for (const promotion of draft.promotions.values()) {
    if (!isRemembered(promotion, draft.today)) {
      draft.forgetPromotion(promotion.promoCode);
      continue;
    }
    const nights = Object.entries(promotion.usedOn).filter(([day]) => Number(day) >= draft.today);
    const shorter = nights.length < Object.keys(promotion.usedOn).length;
    const before = promotionStatus(promotion, draft.base.today);
    if (shorter || before !== promotionStatus(promotion, draft.today))
      draft.putPromotion({ ...promotion, usedOn: Object.fromEntries(nights) });
  }
}
