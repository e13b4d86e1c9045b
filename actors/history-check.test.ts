import t from 'tap';

import type { SeenPosition } from '../src/property-store/ports.ts';
import { quiet, RunningHost } from '../src/testing/actors/running-host.ts';
import { bookCommand } from '../src/testing/property-world.ts';
import { HistoryCheck } from './history-check.ts';

void t.test(
  'after the loss of a lease history is compared: where it was rewound, the generation is new',
  async (t) => {
    const running = await RunningHost.property(t);
    const to = running.host.residentAddresses()[0]!;
    const stored = [...running.store.properties.values()].find(({ ownership }) => ownership.seq > 0)!;
    const before = { ...stored.ownership };
    running.host.abandon();
    t.equal((await running.host.view(to)).generation, before.generation, 'nothing is missing');
    await running.send(bookCommand());
    running.host.abandon();
    // The database takes its time, and a property is not read before.
    const compare = running.store.rewound.bind(running.store);
    running.store.rewound = async (seen) => {
      await new Promise((done) => setImmediate(done));
      return compare(seen);
    };
    // A standby was promoted that had not got the booking.
    stored.journal.length = before.seq;
    Object.assign(stored.ownership, { seq: before.seq, head: before.head });
    const view = await running.host.view(to);
    t.match(view, { seq: before.seq, generation: before.generation + 1 });
    t.equal((await running.host.view(to)).generation, before.generation + 1);
    t.equal(running.host.figures.rewound, 1);
  },
);

void t.test(
  'where the fence refuses a commit because history was rewound, the generation is new although the lease is held',
  async (t) => {
    const running = await RunningHost.property(t);
    const to = running.host.residentAddresses()[0]!;
    const stored = [...running.store.properties.values()].find(({ ownership }) => ownership.seq > 0)!;
    const before = { ...stored.ownership };
    await running.send(bookCommand());
    // Commits reach a standby that was promoted while the earlier primary still renews the lease.
    stored.journal.length = before.seq;
    Object.assign(stored.ownership, { seq: before.seq, head: before.head });
    await t.rejects(running.send(bookCommand()), { code: 'NOT_EXECUTED' });
    t.match(await running.host.view(to), { seq: before.seq, generation: before.generation + 1 });
  },
);

void t.test('where another node has the property in order, the fence begins no generation', async (t) => {
  const running = await RunningHost.property(t);
  const to = running.host.residentAddresses()[0]!;
  const stored = [...running.store.properties.values()].find(({ ownership }) => ownership.seq > 0)!;
  const { generation } = stored.ownership;
  stored.ownership.epoch += 1;
  await t.rejects(running.send(bookCommand()), { code: 'NOT_EXECUTED' });
  t.equal((await running.host.view(to)).generation, generation);
});

void t.test('a property that is lost while others are compared is compared before it is activated', async (t) => {
  const compared: string[][] = [];
  const answers: (() => void)[] = [];
  const store = {
    rewound: (seen: readonly SeenPosition[]) => {
      compared.push(seen.map(({ to }) => to.propertyId));
      return new Promise<[]>((resolve) => answers.push(() => resolve([])));
    },
  };
  const check = new HistoryCheck(store, quiet);
  const lost = (propertyId: string): void =>
    check.remember({ to: { tenantId: 'demo', propertyId }, seq: 1, head: '', generation: 1 });
  lost('first');
  const first = check.done();
  lost('second');
  const second = check.done();
  answers.shift()!();
  await first;
  await new Promise((done) => setImmediate(done));
  t.same(compared, [['first'], ['second']]);
  answers.shift()!();
  await second;
  t.equal(check.done(), undefined);
});
