import type { Test } from 'tap';

import { findProgram } from '../../services/debian.ts';
import { openWs } from '../live-client.ts';
import { type BlackboxProperty, must } from '../property.ts';
import { RunbookPage } from '../runbook-page.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';
import { Receiver } from '../webhook-receiver.ts';
import { webhooksOf } from './webhooks.ts';

const REFUSED_WITHIN_MS = 60_000;
const EVENTS = ['reservation.created'];
/** More frames than a socket may send in any short time. */
const FLOOD = 500;

type Hooks = {
  items: { webhookId: string; status: string; pausedBecause: string | null; failingSince: string | null }[];
};

/** Pages about receivers and clients outside. The service allows private addresses. */
export async function runbookPartners(group: Test, service: Service, property: BlackboxProperty): Promise<void> {
  const { propertyId } = property;
  const receiver = await Receiver.open();
  group.teardown(() => receiver.kill());
  const body = { url: receiver.url, events: EVENTS, propertyIds: [propertyId] };

  /** A webhook whose receiver answers with a status, and a booking that it is sent. */
  async function failing(status: number): Promise<string> {
    receiver.answering = (response) => void response.writeHead(status).end();
    const { webhookId } = must(await webhooksOf(service)('POST', '', { body }), 201).json;
    must(await property.bookUntilDecided({ from: 20, nights: 1 }), 201);
    return webhookId;
  }

  await group.test('SubscriptionPaused: the receiver of a webhook is gone', async (t) => {
    const page = new RunbookPage(t, service, 'SubscriptionPaused');
    const mark = page.mark();
    const webhookId = await failing(410);
    page.command('a webhook is paused');
    await page.says(/a webhook is paused/, mark);
    t.equal(await page.figureIs('subscriptions_given_up', (count) => count > 0), 1);
    const { text } = await page.request('GET /api/v1/admin/audit-trail?entity=webhook');
    t.match(text, /"PAUSED"/, 'the trail has it');
    const { items } = must(await page.request<Hooks>('GET /api/v1/webhooks'), 200).json;
    t.match(items, [{ status: 'PAUSED', pausedBecause: 'GONE' }]);
    receiver.answering = undefined;
    page.command('status: ACTIVE');
    const active = { body: { ...body, status: 'ACTIVE' } };
    must(await page.request('PUT /api/v1/webhooks/{id}', { '{id}': webhookId }, active), 200);
    t.match(await receiver.has(propertyId, 1), [{ type: 'reservation.created' }], 'it goes on where it stopped');
    must(await webhooksOf(service)('DELETE', `/${webhookId}`), 200);
  });

  await group.test('SubscriptionsFailing: the receiver of a webhook has a fault', async (t) => {
    const page = new RunbookPage(t, service, 'SubscriptionsFailing');
    receiver.taken.length = 0;
    const webhookId = await failing(500);
    t.ok((await page.figureIs('subscriptions_failing', (count) => count > 0)) > 0);
    const { items } = must(await page.request<Hooks>('GET /api/v1/webhooks'), 200).json;
    t.match(items, [{ webhookId, status: 'ACTIVE', failingSince: /./, lastFailure: /500/, behind: Number }]);
    const { text } = await page.request('GET /api/v1/webhooks/{id}/deliveries', { '{id}': webhookId });
    t.match(text, /"httpStatus":500/);
    receiver.answering = undefined;
    page.command('PUT');
    must(await webhooksOf(service)('PUT', `/${webhookId}`, { body: { ...body, status: 'ACTIVE' } }), 200);
    t.match(await receiver.has(propertyId, 1), [{ type: 'reservation.created' }], 'what waited has come');
    t.equal(await page.figureIs('subscriptions_failing', (count) => count === 0), 0);
    must(await webhooksOf(service)('DELETE', `/${webhookId}`), 200);
  });

  await group.test('LiveRefused: a socket sends frames in a loop', async (t) => {
    const page = new RunbookPage(t, service, 'LiveRefused');
    const port = new URL(service.dev.liveUrl).port;
    const clients = [await openWs(service.dev.liveUrl)];
    const ss = "ss -tn sport = :8085 | awk '{print $5}' | cut -d: -f1 | sort | uniq -c";
    if (findProgram('ss') === undefined) t.pass(ss, { skip: 'NOT RUN: needs ss' });
    else t.match(await page.shell(ss, { '8085': port }), /\d 127\.0\.0\.1/, 'who has the sockets');
    // A socket that sends too much is closed, and such a client comes back.
    const refused = await until('frames are refused', REFUSED_WITHIN_MS, async () => {
      const client = await openWs(service.dev.liveUrl);
      clients.push(client);
      for (let n = 0; n < FLOOD; n += 1) client.send({ t: 'ping' });
      const count = await page.figure('live_refused');
      return count > 50 ? count : undefined;
    });
    t.ok(refused > 50);
    const { text } = await service.call('GET', `${service.dev.reservationUrl}/actuator/health`);
    page.command('live');
    t.match(text, /"live":\{"status":"[^"]*","details":\{"sockets":\d+/);
    for (const client of clients) client.close();
    (await openWs(service.dev.liveUrl)).close();
  });
}
