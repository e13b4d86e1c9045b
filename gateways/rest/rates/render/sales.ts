import type { Group } from '../../../../src/groups/rules/group.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { PromotionEstimate } from '../../../../src/rates/rules/promotion-estimate.ts';
import { type Discount, type Promotion, promotionStatus } from '../../../../src/rates/rules/promotion.ts';
import type { NightRestriction } from '../../../../src/rates/rules/queries.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** What creating a promotion answers (docs/reference/rates.md#promotions). */
export function createdPromotion(promotion: Promotion, estimate: PromotionEstimate): Json {
  return {
    promotionId: promotion.id,
    status: 'ACTIVE',
    promoCode: promotion.promoCode,
    createdAt: iso(promotion.createdAt),
    estimatedRevenue: wireMoney(estimate.revenue),
    estimatedBookings: estimate.bookings,
  };
}

/** A promotion with what has been used of it. */
export function renderPromotion(promotion: Promotion, today: number): Json {
  const { validity, stayPeriod, conditions, inventory, used } = promotion;
  return {
    promotionId: promotion.id,
    promotionName: promotion.name,
    description: promotion.description ?? null,
    status: promotionStatus(promotion, today),
    promoCode: promotion.promoCode,
    roomTypes: promotion.roomTypes ?? null,
    discount: discountOf(promotion.discount),
    conditions: { ...conditions, blackoutDates: (conditions.blackoutDates ?? []).map(formatDay) },
    validity: {
      startDate: formatDay(validity.start),
      endDate: formatDay(validity.end),
      stayPeriod: stayPeriod ? { startDate: formatDay(stayPeriod.start), endDate: formatDay(stayPeriod.end) } : null,
    },
    inventory: { totalRooms: inventory.totalRooms ?? null, maxPerDay: inventory.maxPerDay ?? null, used },
    createdAt: iso(promotion.createdAt),
  };
}

function discountOf({ type, value }: Discount): Json {
  return { type, value: type === 'FIXED_AMOUNT' ? wireMoney(value) : value };
}

/** A night's restrictions; what is not set is null or false. */
export function restrictionItem({ rateCode, roomType, day, restriction }: NightRestriction): Json {
  const { minStayArrival, maxStayArrival, minStayThrough, maxStayThrough, minAdvance, maxAdvance } = restriction;
  return {
    rateCode,
    roomType,
    date: formatDay(day),
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

/** A group with what is picked up and what remains of each block (docs/reference/reservations.md#groups). */
export function renderGroup(group: Group): Json {
  const { groupId, name, cutoff, released, blocks, createdAt } = group;
  return {
    groupId,
    name,
    cutoffDate: formatDay(cutoff),
    status: released ? 'RELEASED' : 'ACTIVE',
    blocks: Object.values(blocks).map(({ roomType, day, rooms, rate, pickedUp }) => ({
      roomType,
      date: formatDay(day),
      rooms,
      rate: wireMoney(rate),
      pickedUp,
      remaining: released ? 0 : rooms - pickedUp,
    })),
    createdAt: iso(createdAt),
  };
}
