import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';

import { AgentClient, agentToken, SCOPE } from '../agent-client.ts';
import { openWs } from '../live-client.ts';
import { messages } from '../outbox.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';

type Offer = { roomType: string; rateCode: string; total: number; currency: string; payment: string };
type Quote = Offer & { quoteToken: string; roomTotal: number; taxes: number; fees: number };
type Stay = { reservationId: string; confirmationNumber: string; status: string; total: number; replayed: boolean };
type Refused = {
  code: string;
  detail: string;
  retryable: boolean;
  retryAfterSeconds?: number;
  alternatives?: unknown;
};

const EXAMPLE = join(import.meta.dirname, '../../../examples/agent/agent.ts');
const run = promisify(execFile);

const GUEST = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };

/** The MCP server (docs/reference/mcp.md#mcp), by the official client. */
export async function agents(group: Test, service: Service): Promise<void> {
  const url = `${service.dev.reservationUrl}/mcp`;
  const property = await BlackboxProperty.open(service, {
    rooms: { STD: 4, DLX: 1 },
    policies: { taxPercent: 10, feePerNight: 2.5 },
  });
  const { propertyId } = property;
  const stay = { propertyId, checkIn: property.day(30), checkOut: property.day(32), adults: 2 };
  const std = { ...stay, roomType: 'STD', rateCode: 'BAR' };
  await group.test('tokens', (t) => tokensOfAgents(t, service, url));
  await group.test('pages of other origins are refused, before anything is read', async (t) => {
    const headers = { authorization: `Bearer ${await agentToken(service)}`, 'x-tenant-id': 'demo' };
    const ask = (origin: string) =>
      fetch(url, { method: 'POST', headers: { ...headers, origin, 'content-type': 'application/json' }, body: '{}' });
    const answer = await ask('http://rebound.example');
    t.equal(answer.status, 403);
    t.match(await answer.json(), { code: 'ORIGIN_FORBIDDEN' });
    t.not((await ask(service.dev.liveUrl)).status, 403, 'a dashboard of this installation may');
  });
  for (const mode of ['auto', 'legacy'] as const)
    await group.test(`an agent searches, quotes and books (${mode})`, async (t) => {
      await using agent = await AgentClient.open(url, await agentToken(service), { mode });
      t.match(agent.client.getInstructions(), /never follow instructions/);
      const { tools } = await agent.client.listTools();
      const named = new Map(tools.map((tool) => [tool.name, tool]));
      t.match(named.get('book_stay'), { annotations: { idempotentHint: true, readOnlyHint: false } });
      t.match(named.get('cancel_reservation'), { annotations: { destructiveHint: true } });
      t.ok(tools.every(({ outputSchema, description = '' }) => outputSchema && description.length > 50));
      const { json: found } = await agent.call<{ offers: Offer[] }>('search_availability', stay);
      const offer = found.offers.find(({ roomType, rateCode }) => roomType === 'STD' && rateCode === 'BAR');
      t.match(offer, { total: 225, currency: 'EUR', payment: 'BY_LINK' });
      const totals = found.offers.map(({ total }) => total);
      t.same(
        totals,
        totals.toSorted((a, b) => a - b),
        'cheapest first',
      );
      const { json: quote } = await agent.call<Quote>('quote_stay', std);
      t.match(quote, { roomTotal: 200, taxes: 20, fees: 5, total: 225, currency: 'EUR' });
      const { json: why } = await agent.call<{ nights: { rate: number; steps: { amount: number }[] }[] }>(
        'explain_price',
        std,
      );
      for (const { rate, steps } of why.nights)
        t.equal(
          steps.reduce((sum, { amount }) => sum + amount, 0),
          rate,
        );
      const booking = { ...std, quoteToken: quote.quoteToken, maxTotal: 225, guest: GUEST };
      const first = await agent.call<Stay>('book_stay', booking);
      t.match(first, { isError: false, json: { status: 'PENDING', total: 225, replayed: false } });
      t.match(first.json, { payment: { next: 'LINK_MAILED' } });
      t.notMatch(JSON.stringify(first.json), /ada@example|Byron/);
      const again = await agent.call<Stay>('book_stay', booking);
      t.match(again.json, { reservationId: first.json.reservationId, replayed: true });
      const { confirmationNumber, reservationId } = first.json;
      const { json: read } = await agent.call<Stay>('get_reservation', { confirmationNumber });
      t.match(read, { reservationId, status: 'PENDING', total: 225 });
      t.notMatch(JSON.stringify(read), /ada@example|Byron/);
      const mails = (await messages(service, reservationId, 1)).filter(({ kind }) => kind === 'PAYMENT_LINK');
      t.equal(mails.length, 1, 'one link, whatever was repeated');
      t.match(mails[0]?.to, GUEST.email);
      const { json: known } = must(await service.reservations('GET', `/${reservationId}`), 200);
      t.match(known, { source: { channel: 'AGENT', medium: 'MCP' } });
    });
  await group.test('a stay that is paid at the property is confirmed at once, and a dry run cancels nothing', (t) =>
    unguaranteed(t, service, url),
  );
  await group.test('a cancel costs what was said first, and happens once', (t) => cancelled(t, service, url));
  await group.test('what cannot be booked is refused, with a reason', (t) =>
    notBookable(t, service, { url, property, stay: std }),
  );
  await group.test('what others have made is not there', (t) =>
    othersStays(t, service, { url, property, stay: std }),
  );
  await group.test('an agent holds few rooms at a time, and books its own holds alone', async (t) => {
    const wide = await BlackboxProperty.open(service, { rooms: { STD: 20 } });
    const held = { ...std, propertyId: wide.propertyId, maxTotal: 300 };
    await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'MANAGER'));
    await using other = await AgentClient.open(url, await agentToken(service, 'demo', 'OWNER'));
    const { json: hold } = await agent.call<{ holdId: string; total: number }>('hold_room', held);
    t.match(hold, { total: 200, rooms: 1 });
    t.match(await other.call('book_stay', { ...held, holdId: hold.holdId, guest: GUEST }), {
      isError: true,
      json: { code: 'HOLD_NOT_FOUND' },
    });
    t.match(await agent.call('book_stay', { ...held, holdId: hold.holdId, maxTotal: 199.99, guest: GUEST }), {
      isError: true,
      json: { code: 'PRICE_CHANGED', newTotal: 200 },
    });
    t.match(await agent.call('book_stay', { ...held, holdId: hold.holdId, guest: GUEST }), {
      json: { status: 'PENDING', total: 200 },
    });
    t.match(await agent.call('hold_room', held), { isError: false });
    t.match(await agent.call('hold_room', held), { isError: false });
    t.match(await agent.call('hold_room', held), {
      isError: true,
      json: { code: 'QUOTA_EXCEEDED', bound: 'subject-holds' },
    });
    t.match(await agent.call('hold_room', { ...held, maxTotal: 100 }), { isError: true });
    t.match(await other.call('hold_room', held), { isError: false }, 'each agent for itself');
    t.match(await other.call('hold_room', { ...held, rooms: 3 }), {
      isError: true,
      json: { code: 'VALIDATION_FAILED' },
    });
  });
  await group.test('the example has the conversation that its page shows', async (t) => {
    const token = await agentToken(service, 'demo', 'ADMIN');
    const env = {
      MCP_URL: url,
      TOKEN: token,
      PROPERTY: propertyId,
      CHECK_IN: property.day(70),
      CHECK_OUT: property.day(72),
    };
    const { stdout, stderr } = await run(process.execPath, [EXAMPLE], { env: { PATH: process.env.PATH, ...env } });
    t.equal(stderr, '');
    t.match(
      stdout,
      new RegExp(
        [
          /search_availability +offers: (?:\w+ \d+\.\d\d EUR(?:, )?)+/,
          /quote_stay +BAR costs 225\.00 EUR, free to cancel until \S+/,
          /book_stay +(\w{10}) is PENDING: The guest pays by the link in the mail.*/,
          /get_reservation +\w{10} is PENDING, 225\.00 EUR are open/,
          /cancel_reservation +would cost 0\.00 EUR/,
          /cancel_reservation +\w{10} is CANCELLED/,
        ]
          .map(({ source }) => source)
          .join('\\n'),
      ),
    );
  });
  await group.test('an agent that loops reads how long to wait, and is refused at last', async (t) => {
    await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'ADMIN'));
    const codes: string[] = [];
    let wait = 0;
    for (let n = 0; n < 70; n++) {
      const { isError, json } = await agent.call<Refused>('list_properties');
      if (isError) codes.push(json.code);
      wait = json.retryAfterSeconds ?? wait;
    }
    t.ok(codes.length > 5);
    t.same(new Set(codes), new Set(['QUOTA_EXCEEDED']));
    t.ok(wait > 0 && wait <= 60);
    const flood = Array.from({ length: 80 }, () => agent.call('list_properties').then(() => 200, String));
    const ends = await Promise.all(flood);
    t.ok(ends.some((end) => /429|QUOTA_EXCEEDED/.test(String(end))));
    const raw = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await agentToken(service, 'demo', 'ADMIN')}`,
        'x-tenant-id': 'demo',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    t.equal(raw.status, 429);
    t.ok(Number(raw.headers.get('retry-after')) > 0);
  });
  await group.test('calls, and those that were refused, are counted by tool', async (t) => {
    const metric = `${service.dev.reservationUrl}/actuator/metrics/agent.tool.refused?tag=tool:list_properties`;
    const { json } = must(await service.call<{ measurements: { value: number }[] }>('GET', metric), 200);
    t.ok(json.measurements[0]!.value > 5);
  });
}

async function tokensOfAgents(t: Test, service: Service, url: string): Promise<void> {
  const token = await agentToken(service);
  const authorization = `Bearer ${token}`;
  const ask = (headers: Record<string, string>, to = url) =>
    fetch(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });
  const none = await ask({ 'x-tenant-id': 'demo' });
  t.equal(none.status, 401);
  const document = /resource_metadata="([^"]+)"/.exec(none.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  const described = (await (await fetch(document)).json()) as Record<string, unknown>;
  t.match(described, { resource: url, authorization_servers: [service.dev.issuer], scopes_supported: [SCOPE] });
  const plain = await fetch(`${service.dev.reservationUrl}/.well-known/oauth-protected-resource`);
  t.same(await plain.json(), described, 'also without the path');
  t.equal((await ask({ 'x-tenant-id': 'demo' }, `${url}?access_token=${token}`)).status, 401, 'never in the address');
  const staff = await ask({ 'x-tenant-id': 'demo', authorization: `Bearer ${service.token('demo', 'OWNER')}` });
  t.equal(staff.status, 403);
  t.match(staff.headers.get('www-authenticate'), /error="insufficient_scope", scope="innkeeper:agent"/);
  t.equal((await ask({ authorization })).status, 400, 'without a tenant');
  t.match(await (await ask({ authorization, 'x-tenant-id': 'rival' })).json(), { code: 'TENANT_FORBIDDEN' });
  const viewer = `Bearer ${await agentToken(service, 'demo', 'VIEWER')}`;
  t.match(await (await ask({ authorization: viewer, 'x-tenant-id': 'demo' })).json(), { code: 'ROLE_TOO_LOW' });
  isProblem(t, await service.reservations('GET', '?limit=1', { authorization }), 403, { code: 'AGENT_TOKEN' });
  isProblem(t, await service.rates('GET', '/current', { authorization }), 403, { code: 'AGENT_TOKEN' });
  const profile = await fetch(`${service.dev.liveUrl}/own/sessions`, { headers: { authorization } });
  t.not(profile.status, 200);
  const socket = await openWs(service.dev.liveUrl);
  socket.send({ t: 'auth', token, tenantId: 'demo' });
  await socket.closed;
  t.notOk(socket.frames.some(({ t: kind }) => kind === 'ready'));
  const batch = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'x-tenant-id': 'demo', 'content-type': 'application/json' },
    body: '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]',
  });
  t.equal(batch.status, 400, 'one message at a time');
  const get = await fetch(url, { headers: { authorization, 'x-tenant-id': 'demo' } });
  t.equal(get.status, 405, 'nothing is pushed');
  t.equal(get.headers.get('allow'), 'POST');
}

/** @param wanted how it is paid @returns what the agent has booked, at the price of its offer */
async function bookedAs(agent: AgentClient, property: BlackboxProperty, wanted: Partial<Offer>): Promise<Stay> {
  const { propertyId } = property;
  const stay = { propertyId, checkIn: property.day(1), checkOut: property.day(3), adults: 1 };
  const { json: found } = await agent.call<{ offers: Offer[] }>('search_availability', stay);
  const { roomType, rateCode, total } = found.offers.find((offer) =>
    Object.entries(wanted).every(([name, value]) => Reflect.get(offer, name) === value),
  )!;
  const { json: quote } = await agent.call<Quote>('quote_stay', { ...stay, roomType, rateCode });
  const promised = { quoteToken: quote.quoteToken, maxTotal: total, guest: GUEST };
  return (await agent.call<Stay>('book_stay', { ...stay, roomType, rateCode, ...promised })).json;
}

async function unguaranteed(t: Test, service: Service, url: string): Promise<void> {
  const property = await BlackboxProperty.open(service, { policies: { paymentRequired: false } });
  await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'MANAGER'));
  const booked = await bookedAs(agent, property, { payment: 'AT_PROPERTY' });
  t.match(booked, { status: 'CONFIRMED', payment: { next: 'NOTHING' } });
  const { reservationId } = booked;
  t.match(await agent.call('cancel_reservation', { reservationId }), { json: { dryRun: true, penalty: 0 } });
  t.match(await agent.call('get_reservation', { reservationId }), { json: { status: 'CONFIRMED' } });
}

async function cancelled(t: Test, service: Service, url: string): Promise<void> {
  const property = await BlackboxProperty.open(service);
  await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'MANAGER'));
  const { reservationId, total } = await bookedAs(agent, property, { rateCode: 'NRF' });
  const payment = { method: 'CASH', amount: total };
  must(await service.reservations('POST', `/${reservationId}/payments`, { body: payment }), 201);
  t.match(await agent.call('get_reservation', { reservationId }), {
    json: { status: 'CONFIRMED', paid: total, balanceDue: 0 },
  });
  const tried = await agent.call('cancel_reservation', { reservationId });
  t.match(tried.json, { dryRun: true, penalty: total, refund: 0 });
  t.match(await agent.call('cancel_reservation', { reservationId, dryRun: false }), {
    isError: true,
    json: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/maxPenalty' }] },
  });
  const really = { reservationId, dryRun: false, maxPenalty: total };
  t.match(await agent.call('cancel_reservation', { ...really, maxPenalty: total - 0.01 }), {
    isError: true,
    json: { code: 'PRICE_CHANGED', penalty: total },
  });
  t.match(await agent.call('get_reservation', { reservationId }), { json: { status: 'CONFIRMED' } });
  t.match(await agent.call('cancel_reservation', really), {
    json: { status: 'CANCELLED', penalty: total, dryRun: false, replayed: false },
  });
  t.match(await agent.call('cancel_reservation', really), { json: { status: 'CANCELLED', replayed: true } });
}

type Asked = { url: string; property: BlackboxProperty; stay: Record<string, unknown> };

async function notBookable(t: Test, service: Service, { url, property, stay }: Asked): Promise<void> {
  await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'OWNER'));
  const { json: quote } = await agent.call<Quote>('quote_stay', stay);
  const booking = { ...stay, quoteToken: quote.quoteToken, maxTotal: 500, guest: GUEST };
  const refused = async (what: string, name: string, args: Record<string, unknown>, expected: object) =>
    t.match(await agent.call<Refused>(name, args), { isError: true, json: expected }, what);
  await refused('dearer than agreed', 'book_stay', { ...booking, maxTotal: 224.99 }, { code: 'PRICE_CHANGED' });
  const cut = quote.quoteToken.replace('10000_10000', '1_1');
  t.not(cut, quote.quoteToken);
  await refused('a cheaper token', 'book_stay', { ...booking, quoteToken: cut }, { code: 'QUOTE_EXPIRED' });
  await refused('another stay', 'book_stay', { ...booking, adults: 1 }, { code: 'QUOTE_EXPIRED' });
  await refused('no amount', 'book_stay', { ...booking, maxTotal: undefined }, { code: 'VALIDATION_FAILED' });
  await refused(
    'a card',
    'book_stay',
    { ...booking, paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } },
    { code: 'VALIDATION_FAILED' },
  );
  await refused('no such plan', 'quote_stay', { ...stay, rateCode: 'NONE' }, { code: 'UNKNOWN_RATE_CODE' });
  await refused(
    'a long stay',
    'search_availability',
    { ...stay, roomType: undefined, rateCode: undefined, checkOut: property.day(61) },
    {
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/checkOut', code: 'TOO_MANY_NIGHTS' }],
    },
  );
  const foreign = { ...stay, propertyId: 'rival-inn', roomType: undefined, rateCode: undefined };
  await refused('a property of others', 'search_availability', foreign, { code: 'PROPERTY_NOT_FOUND' });
  must(await property.book({ roomType: 'DLX' }), 201);
  await refused(
    'sold out',
    'quote_stay',
    { ...stay, roomType: 'DLX' },
    {
      code: 'ROOM_NOT_AVAILABLE',
      retryable: false,
      alternatives: [{ roomType: 'STD' }],
    },
  );
  t.same(await property.cells(30, 1, 'STD').then(([cell]) => cell?.heldRooms), 2, 'nothing refused holds a room');
  t.equal((await agent.call('book_stay', booking)).isError, false);
  await refused(
    'a token that was used',
    'book_stay',
    { ...booking, guest: { ...GUEST, firstName: 'Eve' } },
    {
      code: 'QUOTE_EXPIRED',
    },
  );
}

async function othersStays(t: Test, service: Service, { url, property, stay }: Asked): Promise<void> {
  await using agent = await AgentClient.open(url, await agentToken(service, 'demo', 'OWNER'));
  await using rival = await AgentClient.open(url, await agentToken(service, 'rival'), { tenant: 'rival' });
  const direct = must(
    await property.book({ roomType: 'STD', from: 40, more: { source: { channel: 'AGENT' } } }),
    201,
  );
  const { reservationId, confirmationNumber } = direct.json;
  const missing = { isError: true, json: { code: 'RESERVATION_NOT_FOUND' } };
  for (const args of [{ reservationId }, { confirmationNumber }])
    t.match(await agent.call('get_reservation', args), missing, 'whatever channel the desk has named');
  t.match(await agent.call('cancel_reservation', { reservationId }), missing);
  const { json: quote } = await agent.call<Quote>('quote_stay', {
    ...stay,
    checkIn: property.day(50),
    checkOut: property.day(51),
  });
  const { json: own } = await agent.call<Stay>('book_stay', {
    ...stay,
    checkIn: property.day(50),
    checkOut: property.day(51),
    quoteToken: quote.quoteToken,
    maxTotal: quote.total,
    guest: GUEST,
  });
  t.match(await agent.call('get_reservation', { reservationId: own.reservationId }), { isError: false });
  t.match(await rival.call('get_reservation', { reservationId: own.reservationId }), missing);
  t.match(await rival.call('get_reservation', { confirmationNumber: own.confirmationNumber }), missing);
  t.match(await rival.call('quote_stay', stay), { isError: true, json: { code: 'PROPERTY_NOT_FOUND' } });
  const path = `${service.dev.reservationUrl}/api/v1/admin/audit-trail?entity=${own.reservationId}`;
  const trail = must(await service.call('GET', path, { role: 'ADMIN' }), 200);
  t.match(JSON.stringify(trail.json), /"agent-/, 'the audit trail says that an agent did it');
}
