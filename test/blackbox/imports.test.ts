import tap, { test } from 'tap';

import { imports } from './groups/imports.ts';
import { importKills } from './import-kills.ts';
import { Service } from './service.ts';

tap.setTimeout(240_000);

const service = await Service.start({}, { isWatched: true });
tap.teardown(() => service.remove());

void test('imports', (t) => imports(t, service));
void test('the service is killed while it imports', (t) => importKills(t, service));
