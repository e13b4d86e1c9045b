import { moneyText } from '../../messages.ts';
import type { FrontDesk } from '../front-desk.ts';
import type { WholeStay } from './shapes.ts';

/** A room type to upgrade to, with its price of now. */
export type PricedType = { roomType: string; text: string };

type Quote = { rates: { roomType: string; totalRate: number; currency: string }[] };

type Desk = Pick<FrontDesk, 'names' | 'today' | 'property'> & { api: Pick<FrontDesk['api'], 'call'> };
type Upgradable = Pick<WholeStay, 'stayDetails' | 'financial'>;

/**
 * The room types that a stay may be upgraded to, the cheapest first, and the next better one: those that cost more now.
 * Without prices all types are offered, and the service decides.
 */
export async function betterTypes(
  desk: Desk,
  { stayDetails, financial }: Upgradable,
): Promise<{ all: PricedType[]; next?: string }> {
  const { roomType: own, checkOut, adults } = stayDetails;
  const checkIn = stayDetails.checkIn < desk.today.value ? desk.today.value : stayDetails.checkIn;
  const named = (roomType: string): string => desk.names.value.get(roomType) ?? roomType;
  const others = [...desk.names.value.keys()].filter((roomType) => roomType !== own);
  const { propertyId = '' } = desk.property.value ?? {};
  const query = new URLSearchParams({ propertyId, checkIn, checkOut, adults: String(adults) });
  const quote = await desk.api
    .call(`/api/v1/rates/current?${query.toString()}`, undefined, 'rate')
    .catch(() => undefined);
  const rates = ((quote?.body as Quote | undefined)?.rates ?? []).toSorted((a, b) => a.totalRate - b.totalRate);
  const quoted = rates.find(({ roomType }) => roomType === own)?.totalRate;
  // A type that is sold out has no price of now: the stay has what it was booked for.
  const ownPrice = quoted ?? bookedPrice(financial, checkIn);
  const better = rates.filter(({ roomType, totalRate }) => roomType !== own && totalRate > ownPrice);
  if (rates.length === 0) return { all: others.map((roomType) => ({ roomType, text: named(roomType) })) };
  return {
    all: better.map(({ roomType, totalRate, currency }) => ({
      roomType,
      text: `${named(roomType)}, ${moneyText(totalRate, currency)}`,
    })),
    ...(ownPrice > 0 && better[0] && { next: better[0].roomType }),
  };
}

function bookedPrice({ breakdown }: Upgradable['financial'], from: string): number {
  const nights = breakdown.filter(({ date }) => date >= from);
  return nights.reduce((sum, { roomRate, surcharge = 0, taxes }) => sum + roomRate + surcharge + taxes, 0);
}
