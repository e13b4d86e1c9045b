import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import type { Minor } from '../../../../src/kernel/rules/money.ts';
import { namedLines, plainLines } from '../../../../src/money/rules/taxes.ts';
import type * as answers from '../../../../src/properties/contracts/property-answers.ts';
import type { CancellationPolicy } from '../../../../src/properties/rules/cancellation-policy.ts';
import {
  allTaxes,
  type Policies,
  type Property,
  type Room,
  type RoomType,
} from '../../../../src/properties/rules/property.ts';
import type { Tax } from '../../../../src/properties/rules/tax.ts';
import type { GridCell } from '../../../../src/rates/rules/queries.ts';
import type * as availability from '../../../../src/revenue/contracts/availability-answers.ts';
import type { Offer } from '../../../../src/revenue/operations/read-availability.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A property (docs/reference/set-up.md#property). @param totalRooms counted from its room types */
export function renderProperty(property: Property, totalRooms: number): AnswerOf<typeof answers.propertyAnswer> {
  const { policies, ownPolicies = policies, acceptanceRule: _rule, ...metadata } = property.metadata;
  const cancellationPolicies = policies.cancellationPolicies.map(policyAnswer);
  return {
    ...property,
    metadata: {
      ...metadata,
      totalRooms,
      policies: { ...policies, taxes: policies.taxes.map(taxAnswer), cancellationPolicies },
    },
    effectiveTaxes: allTaxes(policies).map(taxAnswer),
    inherits: Object.keys(policies).filter((name) => ownPolicies[name as keyof Policies] === undefined),
  };
}

/** The value of a tax is percent or an amount, by its kind. */
function taxAnswer({ kind, value, ...tax }: Tax): AnswerOf<typeof answers.taxAnswer> {
  if (kind === 'PERCENT') return { ...tax, kind, value };
  const amount: Minor = value;
  return { ...tax, kind, value: amount };
}

function policyAnswer({ name, freeHours, penalty }: CancellationPolicy): AnswerOf<typeof answers.cancellationPolicy> {
  const costs = 'nights' in penalty ? { penaltyNights: penalty.nights } : { penaltyPercent: penalty.percent };
  return { name, freeCancellationHours: freeHours, ...costs };
}

export function renderRoomType({ rollingRates: _ours, ...type }: RoomType): AnswerOf<typeof answers.roomTypeAnswer> {
  return type;
}

export function renderRoom({ accessible, connectsTo = [], ...room }: Room): AnswerOf<typeof answers.roomAnswer> {
  return { ...room, accessible: accessible === true, connectsTo };
}

/**
 * A cell of `GET /availability`: `LIMITED` from a tenth of the rooms down, `CLOSED` when sales are stopped under every
 * plan (docs/reference/set-up.md#availability).
 */
export function availabilityItem(
  propertyId: PropertyId,
  cell: GridCell,
  closed: boolean,
): AnswerOf<typeof availability.availabilityItemAnswer> {
  const { available, total } = cell;
  const open = available === 0 ? 'SOLD_OUT' : available * 10 <= total ? 'LIMITED' : 'OPEN';
  const status = closed ? 'CLOSED' : open;
  return {
    propertyId,
    roomType: cell.roomType,
    date: cell.day,
    totalRooms: total,
    availableRooms: available,
    bookedRooms: cell.booked,
    heldRooms: cell.held,
    blockedRooms: cell.blocked,
    status,
  };
}

export function offerAnswer({
  propertyId,
  propertyName,
  rate,
  quoteToken,
  reason,
}: Offer): AnswerOf<typeof availability.offer> {
  return {
    propertyId,
    propertyName,
    roomType: rate.roomType,
    rateCode: rate.rateCode,
    currency: rate.currency,
    nightlyRates: rate.nightly,
    totalRate: rate.total,
    averageRate: rate.average,
    taxes: rate.taxes,
    fees: rate.fees,
    taxLines: rate.taxLines ?? namedLines(plainLines(rate.taxes, rate.fees)),
    ...(quoteToken !== undefined && { quoteToken }),
    bookable: reason === undefined,
    ...(reason && { reason }),
  };
}
