import { type Group, pickupOf, remainingOf } from '../../../../src/groups/rules/group.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { Day } from '../../../../src/kernel/rules/dates.ts';
import type * as answers from '../../../../src/rates/contracts/sales-answers.ts';
import type { PromotionEstimate } from '../../../../src/rates/rules/promotion-estimate.ts';
import { type Promotion, promotionStatus } from '../../../../src/rates/rules/promotion.ts';
import type { NightRestriction } from '../../../../src/rates/rules/queries.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { contactFor } from '../../../http/masks.ts';

/** The answer to creating a promotion (docs/reference/rates.md#promotions). */
export function createdPromotion(
  promotion: Promotion,
  estimate: PromotionEstimate,
): AnswerOf<typeof answers.createdPromotionAnswer> {
  return {
    promotionId: promotion.id,
    status: 'ACTIVE',
    promoCode: promotion.promoCode,
    createdAt: promotion.createdAt,
    estimatedRevenue: estimate.revenue,
    estimatedBookings: estimate.bookings,
  };
}

/** A promotion with what has been used of it. */
export function renderPromotion(promotion: Promotion, today: Day): AnswerOf<typeof answers.promotionAnswer> {
  const { validity, stayPeriod, conditions, inventory, used } = promotion;
  return {
    promotionId: promotion.id,
    promotionName: promotion.name,
    description: promotion.description ?? null,
    status: promotionStatus(promotion, today),
    promoCode: promotion.promoCode,
    roomTypes: promotion.roomTypes ?? null,
    discount: promotion.discount,
    conditions: { ...conditions, blackoutDates: conditions.blackoutDates ?? [] },
    validity: {
      startDate: validity.start,
      endDate: validity.end,
      stayPeriod: stayPeriod ? { startDate: stayPeriod.start, endDate: stayPeriod.end } : null,
    },
    inventory: { totalRooms: inventory.totalRooms ?? null, maxPerDay: inventory.maxPerDay ?? null, used },
    createdAt: promotion.createdAt,
  };
}

/** Restrictions of a night; unset ones are null or false. */
export function restrictionItem({
  rateCode,
  roomType,
  day,
  restriction,
}: NightRestriction): AnswerOf<typeof answers.restriction> {
  const { minStayArrival, maxStayArrival, minStayThrough, maxStayThrough, minAdvance, maxAdvance } = restriction;
  return {
    rateCode,
    roomType,
    date: day,
    minStayArrival: minStayArrival ?? null,
    maxStayArrival: maxStayArrival ?? null,
    minStayThrough: minStayThrough ?? null,
    maxStayThrough: maxStayThrough ?? null,
    minAdvance: minAdvance ?? null,
    maxAdvance: maxAdvance ?? null,
    closedToArrival: restriction.closedToArrival ?? false,
    closedToDeparture: restriction.closedToDeparture ?? false,
    stopSell: restriction.stopSell ?? false,
    rateLocked: restriction.rateLocked ?? false,
  };
}

/** A group with picked up and remaining rooms of each block; contact data is masked for a VIEWER. */
export function renderGroup(group: Group, caller: Pick<Caller, 'role'>): AnswerOf<typeof answers.groupAnswer> {
  const { groupId, name, cutoff, released, blocks, createdAt, agreed = {}, shoulderNights, contact } = group;
  const nights = Object.values(blocks).toSorted(
    (one, other) => one.day - other.day || (one.roomType < other.roomType ? -1 : 1),
  );
  return {
    groupId,
    name,
    cutoffDate: cutoff,
    status: released ? 'RELEASED' : 'ACTIVE',
    guarantee: agreed.guarantee ?? null,
    depositSchedule: agreed.depositSchedule ?? null,
    releaseHour: agreed.releaseHour ?? null,
    companyId: agreed.companyId ?? null,
    terms: agreed.terms ?? null,
    shoulderNights: shoulderNights ?? { before: 0, after: 0 },
    contact: contact ? { ...contact, email: contactFor(caller)(contact.email) } : null,
    blocks: nights
      .filter(({ isShoulder }) => !isShoulder)
      .map((block) => {
        const { roomType, day, rooms, rate, pickedUp } = block;
        return { roomType, date: day, rooms, rate, pickedUp, remaining: remainingOf(group, block) };
      }),
    shoulderPickup: nights
      .filter(({ isShoulder }) => isShoulder)
      .map(({ roomType, day, rate, pickedUp }) => ({ roomType, date: day, rate, pickedUp })),
    totals: pickupOf(group),
    createdAt,
  };
}
