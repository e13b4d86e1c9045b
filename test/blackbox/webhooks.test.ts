import tap, { test } from 'tap';

import { webhooks } from './groups/webhooks.ts';
import { Service } from './service.ts';
import { webhookExamples } from './webhook-examples.ts';
import { webhookKills } from './webhook-kills.ts';
import { webhookPage } from './webhook-page.ts';

/** Webhooks to receivers on this machine, which services allow only where somebody says so. */
tap.setTimeout(400_000);

const service = await Service.start({ WEBHOOK_ALLOW_PRIVATE: '1' }, { isWatched: true });
tap.teardown(() => service.remove());

void test('webhooks', (t) => webhooks(t, service));
void test('examples of receivers', (t) => webhookExamples(t, service));
void test('the page of webhooks', (t) => webhookPage(t, service));
void test('service and receiver are killed in turns', (t) => webhookKills(t, service));
