import tap, { test } from 'tap';
import { liveBadInput } from './groups/live-bad-input.ts';
import { Service } from './service.ts';

/** A file of its own, since most of it is waiting: for tokens to end, and for the patience of the gateway. */
const service = await Service.start();
tap.teardown(() => service.remove());

void test('bad input of the live protocol', (t) => liveBadInput(t, service));
