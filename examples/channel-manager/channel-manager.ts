import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { connect, dataOf } from '../../packages/client/src/innkeeper-client.ts';
import { Nights, type Value } from './nights.ts';

const { TOKEN = '', TENANT = 'demo', PROPERTY = 'harbor-hotel', ROOM_TYPE = 'STD', KEEP = '' } = process.env;
const { RATE_URL = 'http://127.0.0.1:8083', RESERVATION_URL = 'http://127.0.0.1:8084' } = process.env;
/** Where Innkeeper reaches this program. */
const { PORT = '3000', PUBLIC_URL = `http://127.0.0.1:${PORT}` } = process.env;
const { FROM_DAY = '30' } = process.env;

/** A full sync of a large property is some MB. */
const MAX_BYTES = 10 * 1024 * 1024;
const WAIT_MS = 60_000;
const ROOM = 'ROOM-1';
const RATE = 'RATE-1';
const LINE = `${ROOM}/${RATE}`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const { reservations } = connect({
  rateUrl: RATE_URL,
  reservationUrl: RESERVATION_URL,
  tenantId: TENANT,
  token: TOKEN,
});

const nights = new Nights([LINE]);
/** Only who knows this may write: Innkeeper sends it with each request. */
const authorization = `Bearer ${randomBytes(24).toString('base64url')}`;

/** What a request is answered with: a message that is taken, or what the channel has. */
async function answerTo(request: IncomingMessage): Promise<[status: number, body: unknown]> {
  if (request.headers.authorization !== authorization) return [401, { code: 'WRONG_TOKEN' }];
  if (request.method === 'GET') {
    const { searchParams } = new URL(request.url ?? '/', PUBLIC_URL);
    return [200, { values: nights.between(searchParams.get('from') ?? '', searchParams.get('to') ?? '') }];
  }
  const { messageId, values } = JSON.parse(await read(request)) as { messageId: string; values: Value[] };
  const rejected = nights.take(values);
  process.stderr.write(`message ${messageId}: ${values.length} values, ${rejected.length} rejected\n`);
  return [200, { rejected }];
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await answerTo(request).catch((): [number, unknown] => [400, { code: 'MALFORMED' }]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const server = createServer((request, response) => void answer(request, response));

/** Connects this program to the property, or again where it was connected before. */
async function register(): Promise<string> {
  const settings = {
    channelCode: 'EXAMPLE',
    name: 'Channel manager of the examples',
    adapter: 'generic-json' as const,
    url: PUBLIC_URL,
    authorization,
    mappings: [{ roomType: ROOM_TYPE, ratePlan: 'BAR', externalRoom: ROOM, externalRate: RATE }],
  };
  const query = { propertyId: PROPERTY };
  const { items } = await dataOf(reservations.GET('/api/v1/channels', { params: { query } }));
  const known = items.find(({ channelCode }) => channelCode === settings.channelCode);
  if (!known) {
    const body = { propertyId: PROPERTY, ...settings };
    return (await dataOf(reservations.POST('/api/v1/channels', { body }))).channelId;
  }
  const path = { channelId: known.channelId };
  const body = { ...settings, status: 'ACTIVE' as const };
  await dataOf(reservations.PUT('/api/v1/channels/{channelId}', { params: { path }, body }));
  await dataOf(reservations.POST('/api/v1/channels/{channelId}/sync', { params: { path } }));
  return known.channelId;
}

/** Waits until a message has brought what is wanted. @throws Error when none does */
async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !isSo();) {
    if (Date.now() > end) throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Stay = { checkIn: string; checkOut: string };

/** Says what a booking is now. The same again, such as after an answer that got lost, changes nothing. */
async function send(channelId: string, externalId: string, stay: Stay | undefined): Promise<string> {
  const path = { channelId, externalId };
  const guest = { firstName: 'Ada', lastName: 'Channel', email: 'ada.channel@example.com' };
  const booked = {
    externalRoom: ROOM,
    externalRate: RATE,
    adults: 2,
    guest,
    collectedBy: 'CHANNEL' as const,
  };
  const body = {
    ...(stay
      ? { status: 'BOOKED' as const, ...booked, ...stay, total: priceOf(stay) }
      : { status: 'CANCELLED' as const }),
    updatedAt: new Date().toISOString(),
  };
  const url = '/api/v1/channels/{channelId}/bookings/{externalId}' as const;
  const taken = await dataOf(reservations.PUT(url, { params: { path }, body }));
  return `${taken.status} ${taken.confirmationNumber}, ${taken.checkIn} to ${taken.checkOut}`;
}

/** What the guest pays the channel: the rates of the nights as it has them. */
function priceOf({ checkIn, checkOut }: Stay): number {
  let cents = 0;
  for (let day = Date.parse(checkIn); day < Date.parse(checkOut); day += 86_400_000)
    cents += Math.round((nights.of(LINE, new Date(day).toISOString().slice(0, 10)).rate ?? 0) * 100);
  return cents / 100;
}

const roomsOn = (date: string): number | undefined => nights.of(LINE, date).availability;

await new Promise<void>((done) => server.listen(Number(PORT), '127.0.0.1', done));
const channelId = await register();
const [first, second, third] = [0, 1, 2].map((n) => dayIn(Number(FROM_DAY) + n)) as [string, string, string];
await until('the first message', () => roomsOn(first) !== undefined && nights.of(LINE, first).rate !== undefined);
const before = roomsOn(first) ?? 0;
say(
  `synced: ${first} has ${before} rooms at ${nights.of(LINE, first).rate?.toFixed(2)} ${nights.of(LINE, first).currency}`,
);

const externalId = `EX-${randomBytes(4).toString('hex')}`;
say(`booked: ${await send(channelId, externalId, { checkIn: first, checkOut: second })}`);
await until('one room less', () => roomsOn(first) === before - 1);
say(`rooms: ${before - 1} on ${first}`);
say(`changed: ${await send(channelId, externalId, { checkIn: second, checkOut: third })}`);
await until('the room is back', () => roomsOn(first) === before);
say(`rooms: ${before} on ${first}`);
say(`cancelled: ${await send(channelId, externalId, undefined)}`);

if (KEEP === '') {
  await reservations.DELETE('/api/v1/channels/{channelId}', { params: { path: { channelId } } });
  say('disconnected');
  server.close();
  server.closeAllConnections();
} else say(`connected as ${channelId}, on port ${PORT}`);
