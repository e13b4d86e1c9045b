import type { guestListAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { planListAnswer } from '../../../../src/rates/contracts/rate-answers.ts';
import { ask, read, type SignedAccess } from '../../api.ts';
import { hasAllAges, offersOf, partyKey, roomsOfForm } from './offers.ts';
import type {
  BookingForm,
  CreatedStay,
  CreatedBooking,
  GuestMatch,
  GuestProfile,
  Offers,
  PartyForm,
  Plan,
  PlanQuote,
} from './shapes.ts';

const TRIES = 3;
/** Guests shown of a search: typing more narrows it down. */
const MAX_GUESTS = 6;

/** A create that was sent, with its key: the same again books nothing twice. */
export type Attempt = { path: '/api/v1/reservations' | '/api/v1/bookings'; body: object; key: string };

/** Plans that are sold. @throws ApiError */
export async function sellablePlans(access: SignedAccess, propertyId: string): Promise<Plan[]> {
  const query = { propertyId, limit: '200' };
  const { items } = await read<WireOf<typeof planListAnswer>>(access, 'rate', '/api/v1/rates/plans', query);
  return items.filter(({ status }) => status === 'ACTIVE');
}

/** What a stay costs under a plan, in each room type. @throws ApiError */
function quoteOf(
  access: SignedAccess,
  propertyId: string,
  { checkIn, checkOut, promoCode }: BookingForm,
  party: PartyForm,
  rateCode: string,
): Promise<PlanQuote> {
  return read<PlanQuote>(access, 'rate', '/api/v1/rates/current', {
    propertyId,
    checkIn,
    checkOut,
    adults: String(party.adults),
    ...(party.childAges.length > 0 && hasAllAges(party) && { childAges: party.childAges.join(',') }),
    rateCode,
    ...(promoCode.trim() !== '' && { promoCode: promoCode.trim() }),
  });
}

/** Offers for each kind of guests of the form, under all plans. @throws ApiError when no plan gives any */
export async function fetchOffers(
  access: SignedAccess,
  propertyId: string,
  form: BookingForm,
  plans: readonly Plan[],
): Promise<Map<string, Offers>> {
  const found = new Map<string, Offers>();
  if (form.checkIn >= form.checkOut) return found;
  const parties = new Map(
    roomsOfForm(form)
      .filter(hasAllAges)
      .map((party) => [partyKey(party), party]),
  );
  for (const [key, party] of parties) {
    const quotes = await Promise.allSettled(
      plans.map(async (plan) => ({ plan, quote: await quoteOf(access, propertyId, form, party, plan.code) })),
    );
    const good = quotes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // A plan that does not take a promo code or so many nights is left out; all of them are a reason to say why.
    const [bad] = quotes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (good.length === 0 && bad) throw bad;
    found.set(key, offersOf(good));
  }
  return found;
}

/** Profiles by parts of names or addresses, each with its past. @throws ApiError */
export async function findGuests(access: SignedAccess, words: string): Promise<(GuestMatch | GuestProfile)[]> {
  const query = { q: words, limit: String(MAX_GUESTS) };
  const { items } = await read<WireOf<typeof guestListAnswer>>(access, 'reservation', '/api/v1/guests', query);
  // A profile that cannot be read is shown without its past.
  return Promise.all(
    items.map((guest) =>
      read<GuestProfile>(access, 'reservation', `/api/v1/guests/${guest.guestId}`).catch(() => guest),
    ),
  );
}

/** Books. @returns one reservation a room @throws ApiError */
export async function book(access: SignedAccess, { path, body, key }: Attempt): Promise<CreatedStay[]> {
  const answer = await ask(access, 'reservation', path, { method: 'POST', body, key }, TRIES);
  return path === '/api/v1/bookings' ? (answer.body as CreatedBooking).reservations : [answer.body as CreatedStay];
}

/** Puts the guest on the waitlist. @returns the place on it @throws ApiError */
export async function wait(access: SignedAccess, body: object, key: string): Promise<number> {
  const answer = await ask(
    access,
    'reservation',
    '/api/v1/reservations/waitlist',
    { method: 'POST', body, key },
    TRIES,
  );
  return (answer.body as { position: number }).position;
}
