import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { CancellationPolicy } from '../../../../src/properties/rules/cancellation-policy.ts';
import type { Property, Room, RoomType } from '../../../../src/properties/rules/property.ts';
import type { GridCell } from '../../../../src/rates/rules/queries.ts';
import type { Offer } from '../../../../src/revenue/operations/read-availability.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

type Json = Record<string, unknown>;

/** A property (docs/reference/set-up.md#property); `totalRooms` is counted from its room types. */
export function renderProperty(property: Property, roomTypes?: RoomType[]): Json {
  const { metadata, createdAt, updatedAt, ...rest } = property;
  const { policies, ownPolicies: _said, ...more } = metadata;
  const { feePerNight, feePerPersonNight, cancellationPolicies } = policies;
  const fees = { feePerNight: wireMoney(feePerNight), feePerPersonNight: wireMoney(feePerPersonNight) };
  const total = roomTypes && { totalRooms: roomTypes.reduce((sum, { totalRooms }) => sum + totalRooms, 0) };
  return {
    ...rest,
    metadata: {
      ...more,
      ...total,
      policies: { ...policies, ...fees, cancellationPolicies: cancellationPolicies.map(policyAnswer) },
    },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
}

function policyAnswer({ name, freeHours, penalty }: CancellationPolicy): Json {
  const costs = 'nights' in penalty ? { penaltyNights: penalty.nights } : { penaltyPercent: penalty.percent };
  return { name, freeCancellationHours: freeHours, ...costs };
}

export function renderRoomType({ rollingRates: _ours, ...type }: RoomType): Json {
  return type;
}

export function renderRoom({ updatedAt, ...room }: Room): Json {
  const { roomNumber, roomType, floor, status, features, reservationId, notes } = room;
  const shown = { roomNumber, roomType, floor, status, features, reservationId, notes };
  return { ...shown, updatedAt: iso(updatedAt) };
}

/**
 * A cell of `GET /availability`: `LIMITED` from a tenth of the rooms down, `CLOSED` when sales are stopped under every
 * plan (docs/reference/set-up.md#availability).
 */
export function availabilityItem(propertyId: string, cell: GridCell, closed: boolean): Json {
  const { available, total } = cell;
  const open = available === 0 ? 'SOLD_OUT' : available * 10 <= total ? 'LIMITED' : 'OPEN';
  const status = closed ? 'CLOSED' : open;
  return {
    propertyId,
    roomType: cell.roomType,
    date: formatDay(cell.day),
    totalRooms: total,
    availableRooms: available,
    bookedRooms: cell.booked,
    heldRooms: cell.held,
    blockedRooms: cell.blocked,
    status,
  };
}

export function offerAnswer({ propertyId, propertyName, rate, quoteToken }: Offer): Json {
  return {
    propertyId,
    propertyName,
    roomType: rate.roomType,
    rateCode: rate.rateCode,
    currency: rate.currency,
    nightlyRates: rate.nightly.map(wireMoney),
    totalRate: wireMoney(rate.total),
    averageRate: wireMoney(rate.average),
    taxes: wireMoney(rate.taxes),
    fees: wireMoney(rate.fees),
    quoteToken,
  };
}
