import type { Test } from 'tap';

import type { ChannelBehaviour } from '../../services/fake-channel/behaviour.ts';
import { type ChannelProtocol, ChannelWorld } from '../channel-world.ts';
import { must } from '../property.ts';
import type { Service } from '../service.ts';
import { pause, until } from '../waiting.ts';

const MINUTE_MS = 60_000;

/** Channels that are slow, lie, or are gone (docs/reference/channels.md#channels). */
export async function channelFaults(group: Test, service: Service, protocol: ChannelProtocol): Promise<void> {
  const open = (t: Test, settings: Record<string, unknown> = {}): Promise<ChannelWorld> =>
    ChannelWorld.synced(t, service, protocol, { settings, property: { pricedNights: 30 } });
  /** One attempt that goes wrong, and the next that does not. */
  const once = async (t: Test, is: ChannelBehaviour, error: RegExp): Promise<ChannelWorld> => {
    const world = await open(t);
    await world.channel.behave(is);
    await world.priced(['TWN', 5, 5, 150]);
    await until(
      'the error is shown',
      30_000,
      async () => error.test((await world.state()).lastError ?? '') || undefined,
    );
    await until('it is sent again', 30_000, () => world.has('TWIN/BEST', 5).rate === 15_000 || undefined);
    await world.quiet();
    t.same(world.channel.violations, []);
    t.equal(world.has('TWIN/BB', 5).rate, 17_000);
    return world;
  };

  await group.test('500 and 503 are sent again, not before Retry-After', async (t) => {
    const world = await once(t, { kind: 'status', status: 503, retryAfter: 3, times: 1 }, /^it answers 503/);
    const [refused, taken] = world.channel.messages.slice(-2);
    t.ok(taken!.at - refused!.at >= 2_900, `${taken!.at - refused!.at} ms`);
    await once(t, { kind: 'status', status: 500, times: 2 }, /^it answers 500/);
  });

  await group.test('a redirect is not followed', async (t) => {
    await once(t, { kind: 'redirect', times: 1 }, /^it redirects, which is not followed$/);
  });

  await group.test('a page with status 200 has taken nothing', async (t) => {
    await once(t, { kind: 'html', times: 1 }, /^it answers a page/);
  });

  await group.test('an answer of 200 KB changes nothing', async (t) => {
    const world = await open(t);
    await world.channel.behave({ kind: 'large', times: 1 });
    await world.priced(['TWN', 5, 5, 150]);
    await world.quiet();
    t.equal(world.has('TWIN/BEST', 5).rate, 15_000);
    const { lastError } = await world.state();
    t.equal(lastError, protocol === 'ota-2003b' ? 'its answer is too long' : null);
    t.same(world.channel.violations, []);
  });

  await group.test('an answer that takes longer than 20 s is none, and the values come again', async (t) => {
    const world = await open(t);
    await world.channel.behave({ kind: 'slow', seconds: 22, times: 1 });
    const before = world.channel.messages.length;
    await world.priced(['TWN', 5, 5, 150]);
    await until('the error is shown', 30_000, async () =>
      (await world.state()).lastError?.includes('20 s') ? true : undefined,
    );
    await world.quiet();
    const [late, repeat, ...others] = world.channel.messages.slice(before);
    t.ok(repeat!.at - late!.at >= 20_500 && repeat!.at - late!.at < 30_000, `${repeat!.at - late!.at} ms`);
    t.same(others, [], 'and once, also where a runtime would send it again by itself');
    t.same(world.channel.violations, []);
  });

  await group.test('a value that was stored without an answer does not stay when it is taken back', async (t) => {
    const world = await open(t);
    await world.channel.behave({ kind: 'slow', seconds: 22, times: 1 });
    await world.priced(['TWN', 5, 5, 150]);
    await until('it has the value', 10_000, () => world.has('TWIN/BEST', 5).rate === 15_000 || undefined);
    await world.priced(['TWN', 5, 5, 100]);
    await until('it has the value of before', 40_000, () => world.has('TWIN/BEST', 5).rate === 10_000 || undefined);
    await world.quiet();
    t.match(await world.state(), { rejected: 0, queued: 0 });
    t.same(world.channel.violations, []);
  });

  await group.test('what is taken in part is known value by value', async (t) => {
    const world = await open(t);
    await world.channel.behave({ kind: 'partial', lines: ['TWIN/BB'] });
    await world.priced(['TWN', 5, 6, 150], ['DBL', 5, 6, 150]);
    await world.quiet();
    const code = protocol === 'ota-2003b' ? '320' : 'NOT_TODAY';
    t.match(await world.state(), { rejected: 2, lastError: new RegExp(code), status: 'ACTIVE' });
    t.match([world.has('TWIN/BEST', 5), world.has('DOUBLE/BB', 6)], [{ rate: 15_000 }, { rate: 17_000 }]);
    t.equal(world.has('TWIN/BB', 5).rate, 12_000);
    const before = world.channel.messages.length;
    await pause(2_000);
    t.equal(world.channel.messages.length, before, 'it is not sent again at once');
    await world.channel.behave({ kind: 'normal' });
    const messages = await world.after(() => world.priced(['TWN', 5, 5, 160]));
    t.equal(world.has('TWIN/BB', 5).rate, 18_000, 'the new value is');
    t.equal(messages.length, 1);
    t.match(await world.state(), { rejected: 1 });
  });

  await group.test('a line that the channel does not know holds nothing else back', async (t) => {
    const world = await ChannelWorld.synced(t, service, protocol, {
      property: { pricedNights: 30 },
      channel: { lines: ['TWIN/BEST', 'TWIN/BB', 'DOUBLE/BEST'] },
    });
    t.match(world.channel.violations[0], { text: /^UNKNOWN_LINE DOUBLE\/BB/ });
    t.ok((await world.state()).rejected > 0);
    await world.after(() => world.priced(['DBL', 5, 5, 150]));
    t.equal(world.has('DOUBLE/BEST', 5).rate, 15_000);
  });

  await channelOutages(group, protocol, open);
}

async function channelOutages(
  group: Test,
  protocol: ChannelProtocol,
  open: (t: Test, settings?: Record<string, unknown>) => Promise<ChannelWorld>,
): Promise<void> {
  await group.test('20 messages a minute, and the newest value of what changed meanwhile', async (t) => {
    const world = await open(t);
    await pause(MINUTE_MS / 2);
    world.channel.reset();
    for (let n = 1; n <= 40; n += 1) {
      await world.priced(['TWN', n % 20, n % 20, 200 + n]);
      await pause(250);
    }
    await world.quiet();
    const times = world.channel.messages.map(({ at }) => at);
    const most = Math.max(...times.map((at) => times.filter((one) => one >= at && one < at + MINUTE_MS).length));
    t.ok(most <= 20, `${most} in a minute`);
    t.ok(times.length < 40, `${times.length} messages for 40 changes`);
    t.same(world.channel.violations, []);
    for (let n = 21; n <= 40; n += 1) t.equal(world.has('TWIN/BEST', n % 20).rate, (200 + n) * 100);
  });

  await group.test('a channel that comes back is sent the newest values only, and stop-sells first', async (t) => {
    const world = await open(t, { stopSellOnFailure: true });
    const { property, channel } = world;
    await channel.kill();
    for (let n = 1; n <= 5; n += 1) await world.priced(['TWN', 5, 5, 150 + n]);
    for (let n = 0; n < 3; n += 1) await property.booked({ from: 7, nights: 1, roomType: 'DBL' });
    await until('it is out of reach', 30_000, async () => {
      const { lastError, atRisk } = await world.state();
      return lastError?.includes('cannot be reached') && atRisk > 0 ? true : undefined;
    });
    await pause(6_000);
    const before = channel.messages.length;
    await channel.listen();
    await until('it is sent to', 30_000, () => channel.messages.length > before || undefined);
    await world.quiet();
    const [first, ...others] = channel.messages.slice(before);
    t.ok(first!.members.includes('closed') && first!.members.includes('availability'), first!.members.join());
    t.equal(first!.nights < 20, true, 'only what may be oversold');
    t.ok(others.length >= 1 && others.length <= (protocol === 'ota-2003b' ? 2 : 1), `${others.length} more`);
    t.match(world.has('DOUBLE/BEST', 7), { availability: 2, closed: false });
    t.equal(world.has('TWIN/BEST', 5).rate, 15_500);
    t.match(await world.state(), { atRisk: 0, queued: 0 });
    t.same(channel.violations, []);
  });

  await group.test('410 pauses the channel, and somebody resumes it', async (t) => {
    const world = await open(t);
    await world.channel.behave({ kind: 'status', status: 410, times: 1 });
    await world.priced(['TWN', 5, 5, 150]);
    await until('it is paused', 30_000, async () => (await world.state()).status === 'PAUSED' || undefined);
    t.match(must(await world.call('GET', `/${world.channelId}`), 200).json, { pausedBecause: 'GONE' });
    await world.priced(['TWN', 5, 5, 160]);
    t.equal(world.has('TWIN/BEST', 5).rate, 10_000);
    const body = { ...world.settings, status: 'ACTIVE' };
    await world.after(async () => must(await world.call('PUT', `/${world.channelId}`, { body }), 200));
    t.equal(world.has('TWIN/BEST', 5).rate, 16_000);
    must(await world.call('DELETE', `/${world.channelId}`), 200);
    const before = world.channel.messages.length;
    await world.priced(['TWN', 5, 5, 170]);
    await pause(1_500);
    t.equal(world.channel.messages.length, before, 'a removed one is sent nothing more');
  });
}
