import type { WireAmount } from '../../../../src/kernel/contracts/wire-money.ts';
import { addDays } from '../../grid/days.ts';
import type {
  BookingForm,
  BookingKind,
  NotSold,
  StayOffer,
  Offers,
  PartyForm,
  Pays,
  Plan,
  PlanQuote,
  RoomForm,
} from './shapes.ts';

/** Sums of decimals, in cents: 0.1 and 0.2 are 0.3. */
export function sumOfAmounts(amounts: readonly WireAmount[]): WireAmount {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;
}

/** Percentage that is due with the booking; all of it where the plan has no schedule. */
export function dueAtBooking({ depositSchedule }: Plan): number {
  if (depositSchedule === null) return 100;
  return depositSchedule.reduce((sum, { percent, due }) => sum + ('at' in due ? percent : 0), 0);
}

/**
 * What the card pays with the booking: the instalments that are due by then. A card that is brought to a plan without
 * a guarantee of its own pays the whole stay (docs/reference/rates.md#guarantee-and-terms).
 */
export function chargedNow({ plan, guarantee, total }: StayOffer, checkIn: string, today: string): WireAmount {
  if (plan.inherits.includes('guarantee')) return total;
  if (guarantee !== 'PREPAY') return 0;
  const due = plan.depositSchedule?.filter(
    (one) => 'at' in one.due || addDays(checkIn, -one.due.daysBefore) <= today,
  );
  const percent = due?.reduce((sum, one) => sum + one.percent, 0) ?? 100;
  return Math.round(total * percent) / 100;
}

/** Ways to pay that the offers take, the usual one first. A walk-in is not checked in while the room is only held. */
export function paysFor(chosen: readonly StayOffer[], kind: BookingKind): readonly Pays[] {
  const isFree = chosen.length > 0 && chosen.every(({ guarantee }) => guarantee === 'NONE');
  // A slip is recorded once: several rooms are paid one by one, from their folios.
  const now: Pays[] = chosen.length > 1 ? ['CARD', 'CASH'] : ['CARD', 'CASH', 'TERMINAL'];
  if (isFree) return ['LATER', ...now];
  return kind === 'walk-in' ? now : [...now, 'LATER'];
}

/** One quote of each plan, as the offers that a person chooses from: cheap room types and cheap plans first. */
export function offersOf(quotes: readonly { plan: Plan; quote: PlanQuote }[]): Offers {
  const offers: StayOffer[] = [];
  const notSold = new Map<string, NotSold>();
  for (const { plan, quote } of quotes) {
    for (const rate of quote.rates) {
      const left = Math.min(...rate.dailyRates.map(({ availability }) => availability));
      const soldOut = rate.dailyRates.find(({ availability }) => availability <= 0);
      if (!rate.bookable) {
        const reason = soldOut ? `SOLD_OUT ${soldOut.date}` : 'NOT_BOOKABLE';
        notSold.set(rate.roomType, { roomType: rate.roomType, reason });
        continue;
      }
      offers.push({
        roomType: rate.roomType,
        plan,
        total: sumOfAmounts([rate.totalRate, rate.taxes, rate.fees]),
        currency: rate.currency,
        quoteToken: rate.quoteToken,
        left,
        guarantee: rate.guarantee,
        freeUntil: rate.cancellation.deadlineDate,
      });
    }
    for (const { roomType, detail } of quote.unavailable)
      if (!notSold.has(roomType)) notSold.set(roomType, { roomType, reason: detail });
  }
  const cheapest = (roomType: string): number =>
    Math.min(...offers.filter((one) => one.roomType === roomType).map(({ total }) => total));
  offers.sort(
    (a, b) =>
      cheapest(a.roomType) - cheapest(b.roomType) || a.roomType.localeCompare(b.roomType) || a.total - b.total,
  );
  const sold = new Set(offers.map(({ roomType }) => roomType));
  return { offers, notSold: [...notSold.values()].filter(({ roomType }) => !sold.has(roomType)) };
}

/** Guests of the same kind have the same offers. A child whose age is not said yet is a guest too. */
export function partyKey({ adults, childAges }: PartyForm): string {
  return `${adults}/${childAges.map((age) => age ?? '?').join(',')}`;
}

/** Whether all ages are said: without them a child is priced as an adult. */
export const hasAllAges = ({ childAges }: PartyForm): boolean => childAges.every((age) => age !== null);

/** The rooms of the form; as long as they do not differ, each is the first one. */
export function roomsOfForm({ rooms, differ }: Pick<BookingForm, 'rooms' | 'differ'>): readonly RoomForm[] {
  return differ ? rooms : rooms.map(() => rooms[0]!);
}

/** The offer that a room has chosen, if it is there. */
export function offerOf(room: RoomForm, offers: ReadonlyMap<string, Offers>): StayOffer | undefined {
  return offers
    .get(partyKey(room))
    ?.offers.find(({ roomType, plan }) => roomType === room.roomType && plan.code === room.rateCode);
}

/**
 * Rooms with an offer each: what they have chosen where that is still sold; otherwise the same plan or the best
 * available rate of the type, or the first type that is sold.
 */
export function withOffers(rooms: readonly RoomForm[], offers: ReadonlyMap<string, Offers>): RoomForm[] {
  return rooms.map((room) => {
    if (offerOf(room, offers)) return room;
    const all = offers.get(partyKey(room))?.offers ?? [];
    const open = all.filter(({ guarantee }) => guarantee !== 'COMPANY');
    const ofType = open.filter(({ roomType }) => roomType === room.roomType);
    // A type that somebody has chosen is never exchanged for another one without a word.
    if (ofType.length === 0 && room.roomType !== '') return room;
    const choice = ofType.length > 0 ? ofType : open.filter(({ roomType }) => roomType === open[0]?.roomType);
    const found = [room.rateCode, 'BAR'].map((code) => choice.find(({ plan }) => plan.code === code));
    const offer = found.find((one) => one !== undefined) ?? choice[0];
    return offer ? { ...room, roomType: offer.roomType, rateCode: offer.plan.code } : room;
  });
}

/** Types of which fewer rooms are left than the form has. */
export function tooMany(chosen: readonly StayOffer[]): StayOffer | undefined {
  return chosen.find(({ roomType, left }) => chosen.filter((one) => one.roomType === roomType).length > left);
}
