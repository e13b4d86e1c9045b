import type { Services } from '../../../kernel/operations/services.ts';
import type { PropertyView } from '../../../kernel/property-actors.ts';
import type { Caller } from '../../../kernel/rules/caller.ts';
import { type Day, formatDay } from '../../../kernel/rules/dates.ts';
import { DomainError } from '../../../kernel/rules/domain-error.ts';
import { sum } from '../../../kernel/rules/figures.ts';
import { incrementOf, type Minor } from '../../../kernel/rules/money.ts';
import type { Instant } from '../../../kernel/rules/property-time.ts';
import type { GroupQuoteBody } from '../../contracts/group-quote.ts';
import type { BidModel } from '../../rules/bid-prices/bid-prices.ts';
import { NIGHTS_AROUND } from '../../rules/bid-prices/group-displacement.ts';
import { leastRate, quoteConfidence, withinMost } from '../../rules/bid-prices/group-rates.ts';
import { type DemandForecast, FORECAST_METHODS } from '../../rules/forecast/demand-forecast.ts';
import { propertyForecast } from '../property-forecast.ts';
import { type RevenueNight, revenueNights } from '../revenue-nights.ts';
import { bidNightOf } from './bid-signals.ts';

type GroupQuoteFrom = Pick<Services, 'bookingHistory' | 'competitors' | 'computer' | 'forecasts' | 'properties'>;

/** A night of a block of one room type: what it displaces, and the least rate that pays for it. */
type GroupQuoteNight = {
  day: Day;
  roomType: string;
  rooms: number;
  available: number;
  minimumRate: Minor;
  displacedRooms: number;
  displacedRevenue: Minor;
};

export type GroupQuote = {
  asOf: Instant;
  minimumTotal: Minor;
  nights: GroupQuoteNight[];
  method: DemandForecast['method'];
  bidPrices: BidModel;
  confidence: ReturnType<typeof quoteConfidence>;
};

/**
 * The least rates at which a block of rooms pays, by what it displaces (docs/reference/rates.md#group-quote).
 * @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE; NO_RATE and ROOM_NOT_AVAILABLE with the first such night
 */
export async function quoteGroup(
  services: GroupQuoteFrom,
  { tenantId }: Caller,
  body: GroupQuoteBody,
): Promise<GroupQuote & { seq: number }> {
  const { propertyId, checkIn, checkOut, rooms } = body;
  const to = { tenantId, propertyId };
  const view = await services.properties.view(to);
  const block = { from: checkIn, to: checkOut - 1, rooms };
  const around = { start: checkIn - NIGHTS_AROUND, end: checkOut - 1 + NIGHTS_AROUND };
  checkTypes(view, rooms);
  const [revenue, forecast] = await Promise.all([
    revenueNights(services, to, view, around),
    propertyForecast(services, to, view),
  ]);
  const known = new Map(revenue.map((night) => [`${night.day} ${night.roomType}`, night]));
  const available = checkRooms(known, block);
  const nights = revenue.map(bidNightOf);
  const displacement = await services.computer.run('groupDisplacement', { nights, block });
  const usualCost = view.setup.property.metadata.policies.costPerOccupiedRoom;
  const costs = {
    commissionPercent: body.commissionPercent,
    costPerRoomNight: body.costPerRoomNight ?? usualCost,
    usualCost,
    increment: incrementOf(view.currency),
  };
  const quoted = rooms.flatMap(({ roomType, count }) => {
    const displaced = displacement.nights
      .filter((night) => night.roomType === roomType)
      .map((night) => ({ ...night, rate: known.get(`${night.day} ${roomType}`)!.rate }));
    const revenues = withinMost(displaced.map(({ revenue, rate }) => ({ revenue, most: count * rate })));
    return displaced.map(({ day, rate, rooms: displacedRooms }, index) => {
      const displacedRevenue = revenues[index]!;
      const lost = { rooms: displacedRooms, revenue: displacedRevenue };
      const minimumRate = leastRate(lost, { rooms: count, rate }, costs);
      const left = available.get(`${day} ${roomType}`)!;
      return { day, roomType, rooms: count, available: left, minimumRate, displacedRooms, displacedRevenue };
    });
  });
  const method = weakest(forecast.nights, checkIn, checkOut);
  return {
    asOf: view.at,
    seq: view.seq,
    minimumTotal: sum(quoted, ({ rooms, minimumRate }) => rooms * minimumRate),
    nights: quoted.sort((one, other) => one.day - other.day || (one.roomType < other.roomType ? -1 : 1)),
    method,
    bidPrices: displacement.model,
    confidence: quoteConfidence(method, displacement.model),
  };
}

function checkTypes({ setup }: PropertyView, rooms: GroupQuoteBody['rooms']): void {
  for (const { roomType } of rooms)
    if (!setup.roomTypes.some((type) => type.roomType === roomType))
      throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
}

/** Rooms left of each night of the block; each must have a rate, on which the quote is based, and the rooms. */
function checkRooms(
  nights: ReadonlyMap<string, RevenueNight>,
  { from, to, rooms }: { from: Day; to: Day; rooms: GroupQuoteBody['rooms'] },
): ReadonlyMap<string, number> {
  const available = new Map<string, number>();
  for (let day = from; day <= to; day++)
    for (const { roomType, count } of rooms) {
      const date = formatDay(day);
      const night = nights.get(`${day} ${roomType}`);
      if (!night) throw new DomainError('NO_RATE', `${roomType} has no rate for the night of ${date}.`, { date });
      const left = Math.max(0, night.capacity - night.booked);
      const words = `${roomType} has ${left} rooms left on the night of ${date}, not ${count}.`;
      if (left < count) throw new DomainError('ROOM_NOT_AVAILABLE', words, { date });
      available.set(`${day} ${roomType}`, left);
    }
  return available;
}

/** The weakest method among the nights of a stay; nights beyond the forecast follow the typical curve. */
function weakest(nights: readonly DemandForecast[], checkIn: Day, checkOut: Day): DemandForecast['method'] {
  const methods = nights.filter(({ night }) => night >= checkIn && night < checkOut).map(({ method }) => method);
  if (methods.length < checkOut - checkIn) return 'curve';
  return FORECAST_METHODS.findLast((method) => methods.includes(method))!;
}
