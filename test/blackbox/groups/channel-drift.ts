import type { Test } from 'tap';

import { type ChannelProtocol, ChannelWorld } from '../channel-world.ts';
import { advanceClock, must } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

const DAY_SECONDS = 86_400;

/** Channels that say taken and forget (docs/reference/channels.md#audit). The clock moves: nothing else may run beside. */
export async function channelDrift(group: Test, service: Service): Promise<void> {
  const open = async (t: Test, protocol: ChannelProtocol, canReadBack = true): Promise<ChannelWorld> => {
    const world = await ChannelWorld.synced(t, service, protocol, {
      property: { pricedNights: 60 },
      channel: { canReadBack },
    });
    await world.channel.behave({ kind: 'forget', share: 'half' });
    await world.priced(['TWN', 5, 5, 150], ['TWN', 7, 8, 160], ['DBL', 5, 5, 170]);
    await world.quiet();
    t.match(await world.state(), { queued: 0, rejected: 0, lastError: null }, 'nobody has noticed');
    const lost = ['TWIN/BEST', 'TWIN/BB', 'DOUBLE/BEST', 'DOUBLE/BB'].flatMap((line) =>
      [5, 7, 8].filter((night) => line.startsWith('TWIN') || night === 5).map((night) => world.has(line, night).rate),
    );
    t.ok(
      lost.some((rate) => rate === 10_000 || rate === 12_000),
      'something is forgotten',
    );
    await world.channel.behave({ kind: 'normal' });
    world.channel.reset();
    return world;
  };
  const repaired = async (t: Test, world: ChannelWorld): Promise<void> => {
    must(await advanceClock(service, DAY_SECONDS), 200);
    await until('the channel has what it forgot', 60_000, () => {
      const rates = [
        world.has('TWIN/BEST', 5),
        world.has('TWIN/BB', 7),
        world.has('TWIN/BEST', 8),
        world.has('DOUBLE/BB', 5),
      ];
      return rates.map(({ rate }) => rate).join() === '15000,18000,16000,19000' ? true : undefined;
    });
    await world.quiet();
    t.same(world.channel.violations, []);
  };

  await group.test('what it forgot is found by the audit of the next day, counted, and sent again', async (t) => {
    const world = await open(t, 'generic-json');
    await repaired(t, world);
    const { drift } = await world.state();
    t.ok(drift! >= 3 && drift! <= 6, `${drift} nights`);
    // The day that came into view, and the one that can be arrived on since, too.
    const nights = world.channel.messages.reduce((sum, one) => sum + one.nights, 0);
    t.ok(nights <= 6 + 4 * 2, `${nights} nights`);
  });

  await group.test('a channel that cannot say what it has gets everything again', async (t) => {
    const world = await open(t, 'generic-json', false);
    await repaired(t, world);
    t.match(await world.state(), { drift: null });
    t.ok(world.channel.messages.some(({ nights }) => nights >= 4 * 400));
  });

  await group.test('so does one whose protocol has no such question', async (t) => {
    const world = await open(t, 'ota-2003b');
    await repaired(t, world);
    t.match(await world.state(), { drift: null });
    t.ok(world.channel.messages.length <= 3, `${world.channel.messages.length} messages`);
  });
}
