import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';

import { AgentClient, agentToken, SCOPE } from '../agent-client.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { signedToken } from '../signed-token.ts';

type Quote = { total: number; quoteToken: string };
type Stay = { reservationId: string; status: string };
type Refused = { code: string; retryAfterSeconds?: number };

const GUEST = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
/** Characters that nobody sees: an override of direction, a space without width, a filler of Hangul. */
const UNSEEN = ['\u202e', '\u200b', '\u3164', '\u200b \u202e'];

/** What an agent may not do, in whatever way (docs/reference/mcp.md#limits). */
export async function agentBounds(group: Test, service: Service): Promise<void> {
  const url = `${service.dev.reservationUrl}/mcp`;
  await group.test('calls at the same moment, over many properties, pass no limit', (t) => atOnce(t, service, url));
  await group.test('booking and cancelling in a loop mails an address a few times a day', (t) =>
    mailedInALoop(t, service, url),
  );
  for (const mode of ['auto', 'legacy'] as const)
    await group.test(
      `what cannot be stored is refused by the tool, and names of nothing are no tool (${mode})`,
      (t) => unstorable(t, service, { url, mode }),
    );
  await group.test('a price is promised to the agent that has asked for it', (t) => ownPrices(t, service, url));
  await group.test('a name that nobody sees is none, wherever one is taken', (t) => unseenNames(t, service, url));
}

type Mode = { url: string; mode: 'auto' | 'legacy' };

async function unstorable(t: Test, service: Service, { url, mode }: Mode): Promise<void> {
  await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'MANAGER'), { mode });
  const refused = (pointer: string) => ({
    isError: true,
    json: { code: 'VALIDATION_FAILED', errors: [{ pointer }] },
  });
  for (const cursor of ['a\0b', '\ud800', 'b\udc00']) {
    t.match(await agent.call('list_properties', { cursor }), refused('/cursor'));
    t.match(await agent.call('list_properties', { [cursor]: 1 }), {
      isError: true,
      json: { code: 'VALIDATION_FAILED' },
    });
  }
  let deep: object = {};
  for (let n = 0; n < 100; n++) deep = { deep };
  t.match(await agent.call('list_properties', deep as Record<string, unknown>), {
    isError: true,
    json: { code: 'VALIDATION_FAILED' },
  });
  for (const name of ['__proto__', 'constructor', 'toString', 'valueOf', 'nothing'])
    await t.rejects(agent.call(name), { code: -32_602, message: new RegExp(`Tool ${name} not found`) });
  t.match(await agent.call('list_properties'), { isError: false }, 'and all goes on');
}

async function ownPrices(t: Test, service: Service, url: string): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const stay = { propertyId, checkIn: property.day(5), checkOut: property.day(6), adults: 1 };
  const std = { ...stay, roomType: 'STD', rateCode: 'BAR' };
  await using agent = await freshAgent(service, url);
  await using other = await freshAgent(service, url);
  const { json: quote } = await agent.call<Quote>('quote_stay', std);
  const booking = { ...std, quoteToken: quote.quoteToken, maxTotal: quote.total, guest: GUEST };
  const refused = { isError: true, json: { code: 'QUOTE_EXPIRED' } };
  t.match(await other.call('book_stay', booking), refused);
  const { propertyId: _, ...stayDetails } = std;
  const body = { propertyId, guestInfo: GUEST, stayDetails: { ...stayDetails, quoteToken: quote.quoteToken } };
  isProblem(t, await service.reservations('POST', '', { body }), 422, { code: 'QUOTE_EXPIRED' });
  t.match(await agent.call('book_stay', booking), { isError: false });
}

async function unseenNames(t: Test, service: Service, url: string): Promise<void> {
  const property = await BlackboxProperty.open(service);
  const { propertyId } = property;
  const stay = { checkIn: property.day(5), checkOut: property.day(6), adults: 1, roomType: 'STD', rateCode: 'BAR' };
  await using agent = await freshAgent(service, url);
  for (const name of UNSEEN) {
    const guest = { ...GUEST, firstName: name };
    const booking = { ...stay, propertyId, quoteToken: 'none', maxTotal: 500, guest };
    t.match(await agent.call('book_stay', booking), {
      isError: true,
      json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/guest/firstName', code: 'INVISIBLE' }] },
    });
    const body = { propertyId, guestInfo: { ...GUEST, lastName: name }, stayDetails: stay };
    isProblem(t, await service.reservations('POST', '', { body }), 400, { pointers: ['/guestInfo/lastName'] });
  }
}

/** An agent of a user that no other test has, so that nothing of it is counted yet. */
const freshAgent = async (service: Service, url: string): Promise<AgentClient> => {
  const sub = `agent-test-${randomUUID()}`;
  must(await service.tenants('POST', '/users', { role: 'OWNER', body: { subject: sub, role: 'STAFF' } }), 201);
  const token = await signedToken(service.dataDir, service.token('demo', 'STAFF'), { claims: { scope: SCOPE, sub } });
  return AgentClient.open(url, token);
};

async function atOnce(t: Test, service: Service, url: string): Promise<void> {
  const [free, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => BlackboxProperty.open(service, { policies: { paymentRequired: false } })),
  );
  await using agent = await freshAgent(service, url);
  const stay = { checkIn: free!.day(5), checkOut: free!.day(6), adults: 1, roomType: 'STD', rateCode: 'BAR' };
  const held = await Promise.all(
    [...others, ...others].map(({ propertyId }) => agent.call('hold_room', { ...stay, propertyId, maxTotal: 300 })),
  );
  t.equal(held.filter(({ isError }) => !isError).length, 3);
  t.match(held.find(({ isError }) => isError)?.json, { code: 'QUOTA_EXCEEDED', bound: 'subject-holds' });
  await using other = await freshAgent(service, url);
  // On another night than the holds, two of which may be of one property.
  const later = { ...stay, checkIn: free!.day(8), checkOut: free!.day(9) };
  const book = async ({ propertyId }: BlackboxProperty, n: number) => {
    const { json } = await other.call<Quote>('quote_stay', { ...later, propertyId });
    const guest = { ...GUEST, email: `guest-${n}@example.com` };
    const { quoteToken, total: maxTotal } = json;
    return other.call<Stay & Refused>('book_stay', { ...later, propertyId, quoteToken, maxTotal, guest });
  };
  const all = [free!, ...others].flatMap((property) => [property, property, property]);
  const booked = await Promise.all(all.map(book));
  const taken = booked.filter(({ isError }) => !isError);
  t.equal(taken.length, 10, 'stays that are paid at the property are counted, too');
  const refused = { isError: true, json: { code: 'QUOTA_EXCEEDED', bound: 'agent-unpaid-stays', limit: 10 } };
  t.match(
    booked.find(({ isError }) => isError),
    refused,
  );
  const { reservationId } = taken[0]!.json;
  await other.call('cancel_reservation', { reservationId, dryRun: false, maxPenalty: 0 });
  t.match(await book(free!, 99), { isError: false }, 'one that is over is not counted');
}

async function mailedInALoop(t: Test, service: Service, url: string): Promise<void> {
  const property = await BlackboxProperty.open(service);
  await using agent = await freshAgent(service, url);
  const { propertyId } = property;
  const stay = { propertyId, checkIn: property.day(5), checkOut: property.day(6), adults: 1 };
  const std = { ...stay, roomType: 'STD', rateCode: 'BAR' };
  const book = async (n: number, email: string) => {
    const { json } = await agent.call<Quote>('quote_stay', std);
    const guest = { ...GUEST, firstName: `Win ${n}`, email };
    return agent.call<Stay & Refused>('book_stay', {
      ...std,
      quoteToken: json.quoteToken,
      maxTotal: json.total,
      guest,
    });
  };
  for (let n = 0; n < 5; n++) {
    const { json } = await book(n, n % 2 === 0 ? 'prey@example.com' : 'PREY@example.com');
    t.match(json, { status: 'PENDING', payment: { next: 'LINK_MAILED' } });
    const end = { reservationId: json.reservationId, dryRun: false, maxPenalty: 0 };
    t.match(await agent.call('cancel_reservation', end), { json: { status: 'CANCELLED' } });
  }
  const refused = await book(6, 'prey@example.com');
  t.match(refused, { isError: true, json: { code: 'QUOTA_EXCEEDED', bound: 'agent-address-bookings', limit: 5 } });
  t.ok(refused.json.retryAfterSeconds! > 80_000, 'it says when the first of them is a day old');
  t.match(await book(7, 'another@example.com'), { isError: false });
}
