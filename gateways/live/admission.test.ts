import t from 'tap';

import { TestClient, CLIENT_TRANSPORTS } from '../../src/testing/live/client.ts';
import { FIRST_NIGHT } from '../../src/testing/live/scripted-property.ts';
import { scriptedWorld } from '../../src/testing/live/scripted-world.ts';
import { follow, STEPS_PROPERTY, signIn, subscribeStep } from '../../src/testing/live/steps.ts';

for (const transport of CLIENT_TRANSPORTS) {
  t.test(`${transport}: without a token the connection is closed`, async (t) => {
    await using world = await scriptedWorld({ authWithinMs: 250 });
    await using client = TestClient.connect(world.url, transport);
    await client.take('hello');
    client.send(subscribeStep());
    t.match((await client.take('error')).problem, { code: 'UNAUTHENTICATED', status: 401 });
    t.equal(await client.closing(), 4401);
  });

  t.test(`${transport}: a bad token is refused with 4401, another tenant with 4403`, async (t) => {
    await using world = await scriptedWorld();
    for (const [token, tenantId, code, close] of [
      ['forged', 'demo', 'UNAUTHENTICATED', 4401],
      ['demo:OWNER:-5', 'demo', 'UNAUTHENTICATED', 4401],
      ['demo:OWNER', 'rival', 'TENANT_FORBIDDEN', 4403],
    ] as const) {
      await using client = TestClient.connect(world.url, transport);
      await client.take('hello');
      client.send({ t: 'auth', token, tenantId }, subscribeStep());
      t.match((await client.take('error')).problem, { code });
      t.equal(await client.closing(), close);
      t.strictSame(client.waiting, [], 'frames after it are not looked at');
    }
    t.equal(world.property.follows, 0);
    t.notMatch(world.logged.join('\n'), /forged|demo:OWNER/, 'tokens are not logged');
  });

  t.test(`${transport}: an expired token is announced, a new one continues, none closes`, async (t) => {
    await using world = await scriptedWorld({ expiryGraceMs: 400 });
    await using client = TestClient.connect(world.url, transport);
    await signIn(client, 'MANAGER', 0.3);
    await follow(client);
    t.match((await client.take('error')).problem, { code: 'UNAUTHENTICATED', detail: /expired/ });
    client.send({ t: 'auth', token: 'demo:MANAGER:0.3', tenantId: 'demo' });
    await client.take('ready');
    world.property.nothing();
    t.match(await client.take('delta'), { from: 1 }, 'the subscription was not touched');
    await client.take('error');
    client.send({ t: 'auth', token: 'nonsense', tenantId: 'demo' });
    t.match((await client.take('error')).problem, { code: 'UNAUTHENTICATED' });
    t.equal(await client.closing(), 4401);
  });

  t.test(`${transport}: an association that is taken away closes open sockets`, async (t) => {
    await using world = await scriptedWorld({ recheckMs: 10 });
    await using client = TestClient.connect(world.url, transport);
    await signIn(client, 'STAFF');
    world.authenticator.roles.set('demo:STAFF', undefined);
    t.match((await client.take('error')).problem, { code: 'TENANT_FORBIDDEN' });
    t.equal(await client.closing(), 4403);
  });

  t.test(`${transport}: a changed role holds for open sockets`, async (t) => {
    await using world = await scriptedWorld({ recheckMs: 10 });
    await using client = TestClient.connect(world.url, transport);
    await signIn(client, 'MANAGER');
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1, guestName: 'Ada Lovelace' });
    t.match((await follow(client)).feed, [{ guestName: 'Ada Lovelace', totalAmount: 301.5 }]);
    world.authenticator.roles.set('demo:MANAGER', 'VIEWER');
    t.match(await client.take('ready'), { role: 'VIEWER' });
    const [item] = (await client.take('snapshot')).feed;
    t.match(item, { guestName: 'A*** L***' });
    t.notOk(item && 'totalAmount' in item);
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1, guestName: 'Grace Hopper' });
    t.match((await client.take('delta')).patches.at(-1), { topic: 'feed', guestName: 'G*** H***' });
  });
}

t.test('amounts are for MANAGER and above, names are masked for VIEWER', async (t) => {
  await using world = await scriptedWorld();
  const book = (guestName?: string) =>
    world.property.book({ roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1, guestName });
  book('Ada King Lovelace');
  for (const [role, guestName, amounts] of [
    ['VIEWER', 'A*** K*** L***', false],
    ['STAFF', 'Ada King Lovelace', false],
    ['MANAGER', 'Ada King Lovelace', true],
    ['ADMIN', 'Ada King Lovelace', true],
    ['OWNER', 'Ada King Lovelace', true],
  ] as const) {
    await using client = TestClient.connect(world.url, 'ws');
    const texts: string[] = [];
    client.onText = (text) => texts.push(text);
    await signIn(client, role);
    const [item] = (await follow(client)).feed.slice(-1);
    t.match(item, { guestName });
    t.equal(item && 'totalAmount' in item, amounts, role);
    book('Ada King Lovelace');
    const patch = (await client.take('delta')).patches.find(({ topic }) => topic === 'feed');
    t.match(patch, { guestName });
    t.equal(patch && 'totalAmount' in patch, amounts, role);
    if (role === 'VIEWER') t.notMatch(texts.join('\n'), /Ada|King|Lovelace/);
  }
  book();
  await using late = TestClient.connect(world.url, 'ws');
  await signIn(late, 'VIEWER');
  t.match((await follow(late)).feed[0], { guestName: null }, 'a name that nobody knows any more');
});

t.test('a connection stays with its tenant', async (t) => {
  await using world = await scriptedWorld();
  await using client = TestClient.connect(world.url, 'ws');
  await signIn(client);
  client.send({ t: 'auth', token: 'rival:OWNER', tenantId: 'rival' });
  t.match((await client.take('error')).problem, { code: 'INVALID_STATE' });
  await follow(client);

  await using rival = TestClient.connect(world.url, 'ws');
  rival.send({ t: 'auth', token: 'rival:OWNER', tenantId: 'rival' }, subscribeStep());
  await rival.take('hello');
  await rival.take('ready');
  t.match((await rival.take('error')).problem, { code: 'PROPERTY_NOT_FOUND', propertyId: STEPS_PROPERTY });
});

t.test('a browser page may come from this server and from the configured origins', async (t) => {
  await using world = await scriptedWorld();
  for (const transport of CLIENT_TRANSPORTS) {
    for (const origin of [world.url, 'https://desk.example']) {
      await using welcome = TestClient.connect(world.url, transport, { origin });
      await welcome.take('hello');
    }
    await using stranger = TestClient.connect(world.url, transport, { origin: 'https://evil.example' });
    await stranger.closing();
    t.strictSame(stranger.waiting, []);
  }
});
