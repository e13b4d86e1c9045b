import tap, { test } from 'tap';

import { CHANNEL_PROTOCOLS } from './channel-world.ts';
import { channelBookingAmounts } from './groups/channel-booking-amounts.ts';
import { channelBookings } from './groups/channel-bookings.ts';
import { type CertificationRow, channelCertification } from './groups/channel-certification.ts';
import { channelDrift } from './groups/channel-drift.ts';
import { channelExample } from './groups/channel-example.ts';
import { Service } from './service.ts';

/** Channels on this machine, which services allow only where somebody says so. Their pace takes its time. */
tap.setTimeout(400_000);

const service = await Service.start({ CHANNEL_ALLOW_PRIVATE: '1' });
tap.teardown(() => service.remove());
const rows: CertificationRow[] = [];

for (const protocol of CHANNEL_PROTOCOLS)
  void test(`certification lists by ${protocol}`, (t) => channelCertification(t, service, protocol, rows));
void test('what each event took', async (t) => {
  for (const { event, protocol, messages, values } of rows)
    t.comment(`${event} | ${protocol} | ${messages} / ${values}`);
});
void test('bookings of channels', (t) => channelBookings(t, service));
void test('amounts of channels', (t) => channelBookingAmounts(t, service));
void test('the example of a channel manager', (t) => channelExample(t, service));
void test('channels that forget', (t) => channelDrift(t, service));
