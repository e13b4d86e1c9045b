import tap, { test } from 'tap';

import { isNightly } from '../loop/nightly.ts';
import { CHANNEL_PROTOCOLS } from './channel-world.ts';
import { channelChaos } from './groups/channel-chaos.ts';
import { channelFaults } from './groups/channel-faults.ts';
import { Service } from './service.ts';

/**
 * Time limits, paces and pauses of real length: two minutes for a protocol. The second one is for the night, and so are
 * random faults.
 */
tap.setTimeout(700_000);

const service = await Service.start({ CHANNEL_ALLOW_PRIVATE: '1' });
tap.teardown(() => service.remove());

for (const protocol of CHANNEL_PROTOCOLS.slice(0, isNightly() ? 2 : 1))
  void test(`faults of a channel by ${protocol}`, (t) => channelFaults(t, service, protocol));
if (isNightly()) void test('changes while a channel fails at random', (t) => channelChaos(t, service));
