import { Webhook } from 'standardwebhooks';
import t from 'tap';

import { SealedText } from '../../kernel/operations/sealed-text.ts';
import { dayOf } from '../../kernel/rules/dates.ts';
import type { CellFact, Facts } from '../../kernel/rules/journal.ts';
import { SubscriptionChanges } from '../../subscriptions/operations/subscription-changes.ts';
import type { CursorPage, CursorRow } from '../../subscriptions/ports.ts';
import type { WebhookRequest } from '../ports.ts';
import type { WebhookDelivery } from '../rules/webhook.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { secretOwner } from './send-message.ts';
import { newSecret } from './sign-message.ts';
import { WebhookSender } from './webhook-sender.ts';

const OF = { tenantId: 'acme', propertyId: 'anchor', subscriptionId: 'hook' };
const AT = Date.parse('2026-06-01T10:00:00Z');
const NIGHT = dayOf('2026-07-01');

const cell = (night: number): CellFact => ['STD', NIGHT + night, 5, 1, 0, 0, 4, 10_000] as never;

function row(seq: number, facts: Facts = { cells: [cell(seq)] }): CursorRow {
  return { seq, at: AT + seq, type: 'BOOK', requestId: 'r', entity: 'e', facts, generation: 1 };
}

function page(rows: CursorRow[], cursor: Partial<CursorPage['cursor']> = {}, newest?: number): CursorPage {
  const at = { of: OF, epoch: 1, seq: (rows[0]?.seq ?? 1) - 1, part: 0, snapshot: false, attempts: 0 };
  return { cursor: { ...at, ...cursor }, newest: newest ?? rows.at(-1)?.seq ?? 0, generation: 1, rows };
}

/** A sender whose receiver the test decides about. */
function world(topics = ['availability.updated']) {
  const sealed = new SealedText([{ id: 'k', secret: Buffer.alloc(32, 1) }]);
  const secrets = [newSecret(), newSecret()];
  const sent: WebhookRequest[] = [];
  const noted: WebhookDelivery[] = [];
  const set = { status: 204, paused: [] as unknown[], taken: Infinity };
  const cells = Array.from({ length: 700 }, (_, n) => ({
    roomType: 'STD',
    day: NIGHT + n,
    total: 5,
    booked: 1,
    held: 0,
    blocked: 0,
    available: 4,
    rate: 12_345,
  }));
  const view = { seq: 77, generation: 2, at: AT, businessDate: NIGHT, currency: 'EUR', lastNight: NIGHT + 699 };
  const services = {
    sealed,
    subscriptionChanges: new SubscriptionChanges(),
    log: { warn: () => undefined },
    properties: { view: async () => ({ ...view, grid: () => cells }) },
    webhooks: {
      target: async () => ({
        url: 'https://hooks.example.com/',
        topics,
        secrets: secrets.map((one) => sealed.seal(one, secretOwner('acme', 'hook'))),
      }),
      pause: async (...all: unknown[]) => set.paused.push(all) > 0,
    },
    tenantShares: { rest: async () => undefined },
    receivers: {
      async send(request: WebhookRequest) {
        sent.push(request);
        const isTaken = sent.length <= set.taken;
        return {
          isTaken,
          durationMs: 1,
          httpStatus: isTaken ? 204 : set.status,
          failure: isTaken ? undefined : 'no',
        };
      },
    },
  };
  const deliveries = { add: (_: unknown, one: WebhookDelivery) => void noted.push(one) };
  const sender = new WebhookSender({
    services: services as never,
    deliveries: deliveries as unknown as DeliveryLog,
    realTime: () => Date.now(),
  });
  const bodies = () => sent.map(({ body }) => JSON.parse(body) as { type: string; seq: number; data: object });
  return { sender, sent, bodies, secrets, noted, set, services };
}

const always = (): boolean => true;

t.test(
  'each event is a message, signed under both secrets, and the position is behind the last commit',
  async (t) => {
    const { sender, sent, bodies, secrets, noted } = world();
    t.same(await sender.send(page([row(4), row(5)]), always), { to: { seq: 5, part: 0 } });
    t.same(
      bodies().map(({ seq, type }) => [seq, type]),
      [
        [4, 'availability.updated'],
        [5, 'availability.updated'],
      ],
    );
    const [{ headers, body }] = sent as [WebhookRequest];
    for (const secret of secrets) t.ok(new Webhook(secret).verify(body, headers));
    t.throws(() => new Webhook(newSecret()).verify(body, headers));
    t.match(noted[0], { seq: 4, topic: 'availability.updated', attempt: 1, messageId: headers['webhook-id'] });
  },
);

t.test('a page ends at the event that is not taken, and goes on with it', async (t) => {
  const { sender, set, sent } = world();
  const rows = [row(4), row(5, { cells: [cell(1), cell(2), cell(3)] })];
  set.taken = 2;
  const { to, failure } = await sender.send(page(rows), always);
  t.same(to, { seq: 4, part: 1 }, 'one event of the second commit was taken');
  t.match(failure, { why: 'no', isGone: false });
  const refused = sent.at(-1)!.headers['webhook-id'];
  set.taken = Infinity;
  sent.length = 0;
  t.same(await sender.send(page(rows.slice(1), { seq: 4, part: 1, attempts: 1 }), always), {
    to: { seq: 5, part: 0 },
  });
  t.equal(sent.length, 2);
  t.equal(sent[0]!.headers['webhook-id'], refused, 'under the same id');
});

t.test('what has other topics, and rows without events, are passed over', async (t) => {
  const { sender, sent } = world(['promotion.created']);
  t.same(await sender.send(page([row(1), row(2, {}), row(3)]), always), { to: { seq: 3, part: 0 } });
  t.same(sent, []);
});

t.test('the last commit of a page may go on in the next one', async (t) => {
  const { sender, bodies } = world();
  const rows = [row(1), row(2, { cells: [cell(2)], nth: 0 }), row(3, { cells: [cell(2)], nth: 1 })];
  t.same(await sender.send(page(rows, {}, 9), always), { to: { seq: 1, part: 0 } });
  t.same(
    bodies().map(({ seq }) => seq),
    [1],
  );
});

t.test('nothing is sent once the cursor is lost', async (t) => {
  const { sender, sent } = world();
  const { to } = await sender.send(page([row(1), row(2), row(3)]), () => sent.length < 2);
  t.same(to, { seq: 2, part: 0 });
  t.equal(sent.length, 2);
});

t.test('a snapshot has every night at its position; rows that are gone have one too', async (t) => {
  for (const asked of [page([row(5)], { snapshot: true }), page([row(50)], { seq: 7 })]) {
    const { sender, bodies } = world();
    t.same(await sender.send(asked, always), { to: { seq: 77, part: 0 }, snapshot: true });
    const messages = bodies() as unknown as { type: string; seq: number; data: { cells: object[]; parts: number } }[];
    t.match(messages, [
      { type: 'property.snapshot', seq: 77, generation: 2, data: { part: 1, parts: 2, currency: 'EUR' } },
      { type: 'property.snapshot', seq: 77, data: { part: 2 } },
    ]);
    t.equal(messages.flatMap(({ data }) => data.cells).length, 700);
    t.match(messages[0]!.data.cells[0], { date: '2026-07-01', availableRooms: 4, rate: '123.45' });
  }
  const { sender, set } = world();
  set.taken = 1;
  t.match(await sender.send(page([row(5)], { snapshot: true }), always), { to: { seq: 4 }, failure: { why: 'no' } });
});

t.test('a row that this build does not know fails, but after those before it were sent', async (t) => {
  const { sender } = world();
  const strange = row(2, { unheard: 1 } as Facts);
  t.same(await sender.send(page([row(1), strange]), always), { to: { seq: 1, part: 0 } });
  await t.rejects(sender.send(page([strange]), always), /does not know/);
});

t.test('410 and three days pause the webhook', async (t) => {
  const { sender, set, services } = world();
  set.taken = 0;
  set.status = 410;
  t.match((await sender.send(page([row(1)]), always)).failure, { isGone: true });
  const changed: string[] = [];
  services.subscriptionChanges.on('changed', (id) => changed.push(id));
  await sender.giveUp(OF, 'GONE', 'it answers 410');
  t.same(set.paused, [[OF, 'GONE', 'it answers 410']]);
  t.same(changed, ['hook']);
});
