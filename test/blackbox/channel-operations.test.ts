import tap, { test } from 'tap';

import { channelLeftToDesk } from './groups/channel-left-to-desk.ts';
import { channelOperations } from './groups/channel-operations.ts';
import { Service } from './service.ts';

/** A property that a channel sells, day by day. Its pace takes its time. */
tap.setTimeout(400_000);

const service = await Service.start({ CHANNEL_ALLOW_PRIVATE: '1' });
tap.teardown(() => service.remove());

void test('what a channel sends out of order, late or for no room', (t) => channelLeftToDesk(t, service));
void test('a property that a channel sells', (t) => channelOperations(t, service));
