import t from 'tap';

import { FIRST_NIGHT, ScriptedProperty } from '../../src/testing/live/scripted-property.ts';
import type { Scope } from './audience.ts';
import type { LiveConnection, Outgoing } from './connection.ts';
import { GATEWAY_LIMITS } from './limits.ts';
import { PastShelf } from './past/past-shelf.ts';
import { SendBuffer } from './send-buffer.ts';
import { PropertyStream } from './stream.ts';
import { Subscription } from './subscription.ts';

const STAY = { roomType: 'STD', checkIn: FIRST_NIGHT, nights: 1 };
const holder = { shelf: new PastShelf(1_000), ended: () => {}, pastMissing: () => {} };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

t.test('who has fallen behind gets one snapshot, and nothing that was due before it', async (t) => {
  const property = new ScriptedProperty('harbor-hotel');
  const address = { tenantId: 'demo', propertyId: property.propertyId };
  // The conflation window does not flush by itself here.
  const limits = { ...GATEWAY_LIMITS, conflateMs: 60_000 };
  const properties = {
    follow: (_: unknown, from: never, listener: never) => property.follow(from, listener),
  } as never;
  const stream = new PropertyStream({ properties, market: async () => [], limits, log: quiet }, address, () => {});
  await stream.start(undefined);
  t.teardown(() => stream.close());
  let unsent = 0;
  const frames: string[] = [];
  const connection = { buffered: () => unsent, send: (frame: Outgoing) => void frames.push(frame.text) };
  const listener = { recovered: () => {}, blocked: () => {} };
  const outbox = new SendBuffer(connection as unknown as LiveConnection, limits, listener);
  t.teardown(() => outbox.close());
  const scope: Scope = {
    roleClass: 'manager',
    start: FIRST_NIGHT,
    end: FIRST_NIGHT + 5,
    topics: new Set(['grid']),
  };
  const slow = new Subscription(address, scope, stream, outbox, holder);
  slow.start(undefined);
  const publish = async (): Promise<void> => {
    property.book(STAY);
    await Promise.resolve();
  };
  await publish();
  unsent = limits.slowBytes + 1;
  await publish();
  stream.flush();
  await publish();
  unsent = 0;
  outbox.close();
  frames.length = 0;
  slow.recover();
  const [first, ...more] = frames.map((text) => JSON.parse(text) as { t: string; seq?: number });
  t.match(first, { t: 'snapshot', seq: 3 });
  t.same(more, []);
});

t.test('the age of changes is noted when they are sent, and not while nobody follows', async (t) => {
  const property = new ScriptedProperty('harbor-hotel');
  const address = { tenantId: 'demo', propertyId: property.propertyId };
  const limits = { ...GATEWAY_LIMITS, conflateMs: 0 };
  const properties = {
    follow: (_: unknown, from: never, listener: never) => property.follow(from, listener),
  } as never;
  const noted: number[] = [];
  const sent = (since: number): void => void noted.push(since);
  const stream = new PropertyStream(
    { properties, market: async () => [], limits, log: quiet, sent },
    address,
    () => {},
  );
  await stream.start(undefined);
  t.teardown(() => stream.close());
  property.book(STAY);
  await Promise.resolve();
  t.strictSame(noted, []);
  const connection = { buffered: () => 0, send: () => {} };
  const outbox = new SendBuffer(connection as unknown as LiveConnection, limits, {
    recovered: () => {},
    blocked: () => {},
  });
  t.teardown(() => outbox.close());
  const scope: Scope = { roleClass: 'manager', start: FIRST_NIGHT, end: FIRST_NIGHT + 5, topics: new Set(['grid']) };
  new Subscription(address, scope, stream, outbox, holder).start(undefined);
  property.book(STAY);
  await Promise.resolve();
  t.strictSame(noted, [property.view.at], 'from the commit on');
});
