import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { connect, dataOf, ProblemError } from '../../packages/client/src/innkeeper-client.ts';
import { confirmationPage, noPage, type Offer, offersPage, type Search, searchPage } from './pages.ts';

const { TOKEN = '', TENANT = 'demo', PROPERTY = 'harbor-hotel', PORT = '3000' } = process.env;
/** Rate plans that are sold here. */
const { RATE_CODES = 'BAR' } = process.env;
const { RATE_URL = 'http://127.0.0.1:8083', RESERVATION_URL = 'http://127.0.0.1:8084' } = process.env;

const MAX_BYTES = 16 * 1024;
const { rates, reservations } = connect({
  rateUrl: RATE_URL,
  reservationUrl: RESERVATION_URL,
  tenantId: TENANT,
  token: TOKEN,
});
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** What guests can book without a card on this page: a card has to be taken by the form of the payment provider. */
async function offersOf({ checkIn, checkOut, adults }: Search): Promise<Offer[]> {
  const stay = { propertyId: PROPERTY, checkIn, checkOut, adults };
  const quoted = RATE_CODES.split(',').map((rateCode) => {
    const query = { ...stay, rateCode };
    return dataOf(rates.GET('/api/v1/rates/current', { params: { query } }));
  });
  const found = (await Promise.all(quoted)).flatMap((quote) => quote.rates);
  return found.flatMap(({ bookable, quoteToken, guarantee, totalRate, taxes, fees, ...offer }) =>
    bookable && quoteToken !== undefined && (guarantee === 'NONE' || guarantee === 'PREPAY')
      ? [{ ...offer, quoteToken, guarantee, total: totalRate + taxes + fees }]
      : [],
  );
}

/** Books what a form has: at the price that it has shown, and once, however often it is sent. */
async function book(form: URLSearchParams): Promise<string> {
  const of = (name: string): string => form.get(name)?.trim() ?? '';
  const body = {
    propertyId: PROPERTY,
    guestInfo: { firstName: of('firstName'), lastName: of('lastName'), email: of('email') },
    stayDetails: {
      checkIn: of('checkIn'),
      checkOut: of('checkOut'),
      adults: Number(of('adults')),
      roomType: of('roomType'),
      rateCode: of('rateCode'),
      quoteToken: of('quoteToken'),
    },
    source: { channel: 'WEBSITE' as const },
  };
  const headers = { 'Idempotency-Key': of('attempt') };
  const booked = await dataOf(reservations.POST('/api/v1/reservations', { body, headers }));
  const isMailed = booked.status === 'PENDING' && (await mailPaymentLink(booked.reservationId));
  return confirmationPage(booked, isMailed);
}

/** Whether the guest is mailed where to pay; without a mail server or a card form the hotel has to call. */
async function mailPaymentLink(reservationId: string): Promise<boolean> {
  try {
    const params = { path: { reservationId } };
    await reservations.POST('/api/v1/reservations/{reservationId}/payment-links', { params, body: {} });
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

async function pageOf(request: IncomingMessage): Promise<[status: number, page: string]> {
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://127.0.0.1:${PORT}`);
  if (request.method === 'POST' && pathname === '/book')
    return [200, await book(new URLSearchParams(await read(request)))];
  if (request.method !== 'GET') return [405, noPage('This page only books.')];
  const search: Search = {
    checkIn: searchParams.get('checkIn') ?? dayIn(30),
    checkOut: searchParams.get('checkOut') ?? dayIn(32),
    adults: Number(searchParams.get('adults') ?? 2),
  };
  if (pathname === '/') return [200, searchPage(search)];
  if (pathname === '/offers') return [200, offersPage(search, await offersOf(search))];
  return [404, noPage('There is no such page.')];
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the form is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What the service refuses is said in its words, which are made for people; of anything else the guest learns nothing. */
function failedPage(error: unknown): [status: number, page: string] {
  if (error instanceof ProblemError && error.status < 500) {
    const fields = (error.problem?.errors ?? []).map(
      ({ pointer = '', parameter, detail }) => `${parameter ?? pointer.split('/').at(-1)} ${detail}.`,
    );
    return [error.status, noPage([error.message, ...fields].join(' '))];
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return [503, noPage('The hotel cannot be reached at the moment. Please try again in a minute.')];
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, page] = await pageOf(request).catch(failedPage);
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    'referrer-policy': 'no-referrer',
  };
  response.writeHead(status, headers).end(page);
}

createServer((request, response) => void answer(request, response)).listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`the hotel sells at http://127.0.0.1:${PORT}/\n`);
});
