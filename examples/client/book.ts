import { connect, dataOf, type FeedItem, itemsOf, ProblemError } from '../../packages/client/src/innkeeper-client.ts';

const { TOKEN = '', TENANT = 'demo', PROPERTY = 'harbor-hotel' } = process.env;
const { RATE_URL = 'http://127.0.0.1:8083', RESERVATION_URL = 'http://127.0.0.1:8084' } = process.env;
const { LIVE_URL = 'http://127.0.0.1:8085' } = process.env;
const innkeeper = connect({
  rateUrl: RATE_URL,
  reservationUrl: RESERVATION_URL,
  liveUrl: LIVE_URL,
  tenantId: TENANT,
  token: TOKEN,
});
const { rates, reservations } = innkeeper;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const [checkIn, checkOut] = [dayIn(30), dayIn(32)];

/** Resolves with the next booking that the live gateway reports of these days. */
const { promise: nextBooking, resolve: booked } = Promise.withResolvers<FeedItem>();
const { promise: isLive, resolve: becameLive } = Promise.withResolvers<void>();
const live = await innkeeper.live({
  listener: {
    stateChanged: ({ kind }) => kind === 'live' && becameLive(),
    dataChanged: (_replica, outcome) => {
      if (outcome.kind !== 'applied') return;
      for (const patch of outcome.patches)
        if (patch.topic === 'feed' && patch.checkIn === checkIn && patch.status === 'CONFIRMED') booked(patch);
    },
  },
});
live.follow({ propertyId: PROPERTY, topics: ['feed'], window: { start: checkIn, days: 7 } });
await isLive;

const query = { propertyId: PROPERTY, checkIn, checkOut, adults: 2 };
const quote = await dataOf(rates.GET('/api/v1/rates/current', { params: { query } }));
const offer = quote.rates.find(({ bookable }) => bookable);
if (!offer) throw new Error('nothing can be booked');
say(`${offer.roomType} ${offer.rateCode}: ${offer.totalRate} ${offer.currency}`);

const body = {
  propertyId: PROPERTY,
  guestInfo: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
  stayDetails: { checkIn, checkOut, adults: 2, roomType: offer.roomType, quoteToken: offer.quoteToken },
  paymentDetails: { method: 'CREDIT_CARD' as const, cardToken: 'tok_visa' },
};
const { reservationId, financial } = await dataOf(reservations.POST('/api/v1/reservations', { body }));
say(`booked for ${financial.totalAmount}`);
say(`live: ${(await nextBooking).status}`);

const path = { reservationId };
const cancelled = { reason: 'GUEST_REQUEST' } as const;
await reservations.DELETE('/api/v1/reservations/{reservationId}', { params: { path }, body: cancelled });
try {
  await reservations.DELETE('/api/v1/reservations/{reservationId}', { params: { path }, body: cancelled });
} catch (error) {
  if (error instanceof ProblemError) say(`again: ${error.code}`);
  else throw error;
}

/** Reads lists page by page, as far as somebody reads. */
const page = (cursor?: string) => {
  const asked = { propertyId: PROPERTY, limit: 50, ...(cursor !== undefined && { cursor }) };
  return dataOf(reservations.GET('/api/v1/reservations', { params: { query: asked } }));
};
for await (const one of itemsOf(page, 4)) if (one.reservationId === reservationId) say(`listed: ${one.status}`);
live.close();
