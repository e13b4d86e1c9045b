import tap, { test } from 'tap';

import { liveBadInput } from './groups/live-bad-input.ts';
import { Service } from './service.ts';

/** A file of its own, since most of it is waiting: for tokens to end, and for the patience of the gateway. */
// Floods are part of it: without limits, so that they reach what they are meant for.
const service = await Service.start({
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_SUBJECT: '0',
  RATE_LIMIT_TENANT: '0',
  RATE_LIMIT_COSTLY: '0',
});
tap.teardown(() => service.remove());

void test('bad input of the live protocol', (t) => liveBadInput(t, service));
