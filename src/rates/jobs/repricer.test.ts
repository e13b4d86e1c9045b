import t from 'tap';

import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { FakeClock, Gate } from '../../testing/fake-clock.ts';
import { Repricer } from './repricer.ts';

const property = (propertyId: string): Address => ({ tenantId: 'acme', propertyId });
const dynamic = { isDynamic: true } as PropertyView;
const booked: Pick<JournalEntry, 'type' | 'facts'> = {
  type: 'BOOK',
  facts: { cells: [['STD', 1, 3, 1, 0, 0, 2, null]] },
};

t.test('many bookings of a property are one reason to look at it', async (t) => {
  const done: string[] = [];
  await using repricer = new Repricer({
    reprice: async ({ propertyId }) => done.push(propertyId),
    clock: new FakeClock(),
    log: quiet,
    gatherMs: 1,
    roundMs: 1,
  });
  for (let n = 0; n < 100; n++) for (const id of ['one', 'two']) repricer.committed(property(id), booked, dynamic);
  await repricer.done();
  t.same(done, ['one', 'two']);
  repricer.committed(property('two'), { type: 'PUT_RATE_PLAN', facts: {} }, dynamic);
  await repricer.done();
  t.same(done, ['one', 'two', 'two']);
});

t.test('changes that move no price cause no run, nor do changes by the run itself', async (t) => {
  const done: string[] = [];
  await using repricer = new Repricer({
    reprice: async ({ propertyId }) => done.push(propertyId),
    clock: new FakeClock(),
    log: quiet,
  });
  repricer.committed(property('fixed'), booked, { isDynamic: false } as PropertyView);
  repricer.committed(property('itself'), { ...booked, type: 'SET_SIGNALS' }, dynamic);
  repricer.committed(property('quiet'), { type: 'CHECK_IN', facts: {} }, dynamic);
  await repricer.done();
  t.same(done, []);
});

t.test('a property that fails delays no other, and later signals are handled', async (t) => {
  const done: string[] = [];
  const [began, go] = [new Gate(), new Gate()];
  const reprice = async ({ propertyId }: Address): Promise<void> => {
    began.open();
    await go.opened;
    if (propertyId === 'broken') throw new Error('no');
    done.push(propertyId);
  };
  await using repricer = new Repricer({ reprice, clock: new FakeClock(), log: quiet, gatherMs: 1, roundMs: 1 });
  repricer.committed(property('broken'), booked, dynamic);
  repricer.committed(property('one'), booked, dynamic);
  await began.opened;
  repricer.committed(property('late'), booked, dynamic);
  go.open();
  await repricer.done();
  t.same(done, ['one', 'late']);
});

t.test('a request waits for a run that began after it, and gets its result', async (t) => {
  const clock = new FakeClock();
  const done: string[] = [];
  const reprice = async ({ propertyId }: Address): Promise<void> => {
    if (propertyId === 'broken') throw new Error('no');
    done.push(propertyId);
  };
  await using repricer = new Repricer({ reprice, clock, log: quiet, gatherMs: 1, roundMs: 1 });
  await Promise.all([repricer.ask(property('one')), repricer.ask(property('one'), clock.now())]);
  t.same(done, ['one'], 'one look for both');
  await t.rejects(repricer.ask(property('broken')), { message: 'no' });
  clock.pass(5_000);
  await repricer.ask(property('one'), clock.now());
  t.same(done, ['one', 'one']);
  await repricer.ask(property('one'), clock.now() - 2_000);
  t.same(done, ['one', 'one'], 'the last run has read what was signalled before it');
  await repricer.ask(property('one'));
  t.same(done, ['one', 'one', 'one']);
});

t.test('a property that waits when the process ends gets an error', async (t) => {
  const repricer = new Repricer({ reprice: async () => {}, clock: new FakeClock(), log: quiet, gatherMs: 60_000 });
  const asked = t.rejects(repricer.ask(property('one')), { code: 'NOT_EXECUTED' });
  await repricer[Symbol.asyncDispose]();
  await asked;
  await t.rejects(repricer.ask(property('two')), { code: 'NOT_EXECUTED' });
});

/** Moments at which a property that is booked without an end was looked at. */
async function looks(count: number, roundMs: number): Promise<number[]> {
  const began: number[] = [];
  await using repricer = new Repricer({
    reprice: async () => began.push(performance.now()),
    clock: new FakeClock(),
    log: quiet,
    gatherMs: 1,
    roundMs,
  });
  while (began.length < count) {
    repricer.committed(property('one'), booked, dynamic);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return began;
}

t.test('a booking is followed at once, and bookings that never cease once in a while', async (t) => {
  t.equal((await looks(1, 600_000)).length, 1, 'the first waits for no round');
  const [first, , third] = await looks(3, 300);
  t.ok(third! - first! > 580, `${third! - first!} ms`);
});
