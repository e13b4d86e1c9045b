import tap, { test } from 'tap';

import { canaries } from './groups/canaries.ts';
import { ownSettings } from './groups/own-settings.ts';
import { roles } from './groups/roles.ts';
import { signIn } from './groups/sign-in.ts';
import { tokens } from './groups/tokens.ts';
import { Service } from './service.ts';

/**
 * Who may do what, and what strangers can do. A service of its own: there are tenants made past it, and nobody comes
 * so often as its callers.
 */
const service = await Service.start(
  {
    RATE_LIMIT_ADDRESS: '0',
    RATE_LIMIT_SUBJECT: '0',
    RATE_LIMIT_TENANT: '0',
    RATE_LIMIT_COSTLY: '0',
  },
  { isWatched: true },
);
tap.teardown(() => service.remove());

void test('roles', (t) => roles(t, service));
void test('tokens', (t) => tokens(t, service));
void test('two tenants with the same ids', (t) => canaries(t, service));
void test('own settings', (t) => ownSettings(t, service));
void test('signing in', (t) => signIn(t, service));
