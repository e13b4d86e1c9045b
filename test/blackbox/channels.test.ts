import tap, { test } from 'tap';

import { CHANNEL_PROTOCOLS } from './channel-world.ts';
import { type CertificationRow, channelCertification } from './groups/channel-certification.ts';
import { channelFaults } from './groups/channel-faults.ts';
import { Service } from './service.ts';

/** Channels on this machine, which services allow only where somebody says so. Paces and time limits take their time. */
tap.setTimeout(580_000);
tap.jobs = 4;

const service = await Service.start({ CHANNEL_ALLOW_PRIVATE: '1' });
tap.teardown(() => service.remove());
const rows: CertificationRow[] = [];
/** Each group has properties and channels of its own, and mostly waits. */
const BESIDE = { buffered: true };

await Promise.all(
  CHANNEL_PROTOCOLS.flatMap((protocol) => [
    test(`certification lists by ${protocol}`, BESIDE, (t) => channelCertification(t, service, protocol, rows)),
    test(`faults of a channel by ${protocol}`, BESIDE, (t) => channelFaults(t, service, protocol)),
  ]),
);

await test('what each event took', async (t) => {
  t.ok(rows.length > 0);
  for (const { event, protocol, messages, values } of rows)
    t.comment(`${event} | ${protocol} | ${messages} | ${values}`);
});
