import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

import { TemporaryDisk } from '../../../test/blackbox/temporary-disk.ts';
import { PaymentSimulator } from './payment-simulator.ts';

const DAY_MS = 86_400_000;
const charge = (attemptId: string, cardToken: string) => ({ attemptId, amount: 100, currency: 'EUR', cardToken });

void t.test('an attempt is charged once, whatever is sent with it the second time', async (t) => {
  using simulator = new PaymentSimulator(join(t.testdir(), 'ledger'), () => 5);
  const first = await simulator.charge(charge('a', 'tok_visa'));
  t.same(first, { outcome: 'CHARGED', transactionId: 'sim_a', processedAt: 5, cardLast4: '4242' });
  t.same(await simulator.charge(charge('a', 'tok_declined')), first);
  t.same(await simulator.find('a'), first);
  t.equal(await simulator.find('b'), undefined);
});

void t.test('each test token behaves as its name says, and an unknown one is charged', async (t) => {
  using simulator = new PaymentSimulator(join(t.testdir(), 'ledger'), () => 5);
  t.match(await simulator.charge(charge('a', 'tok_declined')), { outcome: 'DECLINED' });
  await t.rejects(simulator.charge(charge('b', 'tok_timeout')), { code: 'PARTNER_UNAVAILABLE' });
  t.match(await simulator.charge(charge('b', 'tok_timeout')), { outcome: 'CHARGED' }, 'the charge is there');
  t.match(await simulator.charge(charge('c', 'whatever')), { outcome: 'CHARGED' });
});

void t.test('a slow attempt that comes twice is charged once', async (t) => {
  const path = join(t.testdir(), 'ledger');
  using simulator = new PaymentSimulator(path, () => 5);
  const both = await Promise.all([1, 2].map(() => simulator.charge(charge('a', 'tok_slow'))));
  t.same(both[0], both[1]);
  t.equal(readFileSync(path, 'utf8').trim().split('\n').length, 1);
});

void t.test('a refund is given once by its id', async (t) => {
  using simulator = new PaymentSimulator(join(t.testdir(), 'ledger'), () => 5);
  const first = await simulator.refund({ refundId: 'r' });
  t.same(await simulator.refund({ refundId: 'r' }), first);
});

void t.test('charges are known after a restart; a truncated line and old charges are not', async (t) => {
  const path = join(t.testdir(), 'ledger');
  let now = 0;
  const open = () => new PaymentSimulator(path, () => now);
  {
    using simulator = open();
    await simulator.charge(charge('old', 'tok_visa'));
    now = DAY_MS;
    await simulator.charge(charge('a', 'tok_visa'));
  }
  appendFileSync(path, '{"at":1,"id":"cut","charge":{"outc');
  using simulator = open();
  t.match(await simulator.find('a'), { outcome: 'CHARGED' });
  t.equal(await simulator.find('old'), undefined);
  t.equal(await simulator.find('cut'), undefined);
});

void t.test('nodes that share a ledger have one provider', async (t) => {
  const path = join(t.testdir(), 'ledger');
  using one = new PaymentSimulator(path, () => 5, true);
  using other = new PaymentSimulator(path, () => 6, true);
  const first = await one.charge(charge('a', 'tok_visa'));
  t.same(await other.find('a'), first);
  t.same(await other.charge(charge('a', 'tok_declined')), first);
  const refund = await other.refund({ refundId: 'r' });
  t.same(await one.refund({ refundId: 'r' }), refund);
  appendFileSync(path, '{"at":7,"id":"b","cha');
  t.equal(await one.find('b'), undefined, 'a line that is still being written');
  appendFileSync(path, 'rge":{"outcome":"DECLINED","reason":"none"}}\n');
  t.match(await one.find('b'), { outcome: 'DECLINED' });
});

void t.test('a full disk takes no charge, and spoils none that comes later', async (t) => {
  using disk = TemporaryDisk.mount(64 * 1024);
  if (!disk) return;
  const path = join(disk.folder, 'ledger');
  using simulator = new PaymentSimulator(path, () => 5);
  const empty = disk.fill();
  // The last block of the file still has room, for a part of a line at last.
  const charged: string[] = [];
  const refused = new Set<unknown>();
  for (let n = 0; n < 100; n++)
    await simulator.charge(charge(`full-${n}`, 'tok_visa')).then(
      () => charged.push(`full-${n}`),
      (error: unknown) => refused.add(Reflect.get(Object(error), 'code')),
    );
  t.ok(charged.length < 100);
  t.same([...refused], ['PARTNER_UNAVAILABLE'], 'a guest repeats it, and nobody looks for a fault');
  empty();
  await simulator.charge(charge('later', 'tok_visa'));
  using again = new PaymentSimulator(path, () => 6);
  for (const id of [...charged, 'later']) t.match(await again.find(id), { outcome: 'CHARGED' }, id);
  t.equal(await again.find(`full-${charged.length}`), undefined, 'the money has not moved');
});
