import t from 'tap';

import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Behind, RelayRound } from '../ports.ts';
import { Relay } from './relay.ts';

const ANCHOR = { tenantId: 'acme', propertyId: 'anchor' };
const BELL = { tenantId: 'rival', propertyId: 'bell' };
const NOTHING: RelayRound = { rows: 0, records: 0, stopped: [], unfinished: [] };

/** A relay whose rounds the test answers. */
function world(t: { teardown(end: () => Promise<void>): unknown }) {
  const asked: string[][] = [];
  const logged: string[] = [];
  const say = (_: unknown, message: string): void => void logged.push(message);
  const set = { mayWork: true, now: 10_000, behind: [] as Behind[] };
  const answers: (() => RelayRound)[] = [];
  const relay = new Relay({
    async relay(of: readonly Address[]) {
      asked.push(of.map(addressKey));
      return (answers.shift() ?? (() => NOTHING))();
    },
    behind: async () => set.behind,
    mayWork: () => set.mayWork,
    now: () => set.now,
    log: { debug: say, info: say, warn: say, error: say },
  });
  t.teardown(() => relay[Symbol.asyncDispose]());
  return { relay, asked, logged, answers, set };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (condition()) return;
    await new Promise((later) => setTimeout(later, 10));
  }
  throw new Error('it did not come to that');
}

void t.test('rows unpublished before the start are found, with their age', async (t) => {
  const { relay, asked, set } = world(t);
  set.behind = [
    { to: ANCHOR, rows: 3, since: 4_000 },
    { to: BELL, rows: 2, since: 7_000 },
  ];
  relay.begin();
  await until(() => asked.length > 0);
  t.same(asked[0], ['acme:anchor', 'rival:bell']);
  t.same(relay.figures, { lag: 5, oldestAgeSeconds: 6, sent: 0, stopped: 0 });
  t.match(await relay.health.check(), { status: 'UP', details: { rowsBehind: 5 } });
});

void t.test('commits close together are published in one round, without unneeded queries', async (t) => {
  const { relay, asked, answers } = world(t);
  relay.begin();
  await new Promise((later) => setTimeout(later, 50));
  t.same(asked, []);
  answers.push(() => ({ ...NOTHING, records: 7, unfinished: [BELL] }));
  for (const to of [ANCHOR, BELL, ANCHOR]) relay.committed(to);
  await until(() => asked.length === 2);
  t.same(asked, [['acme:anchor', 'rival:bell'], ['rival:bell']], 'what was left over is next');
  t.equal(relay.figures.sent, 7);
});

void t.test('a broker that is away shows in the health; the same properties are tried again', async (t) => {
  const { relay, asked, answers, logged } = world(t);
  for (let n = 0; n < 2; n++)
    answers.push(() => {
      throw new Error('no broker');
    });
  relay.begin();
  relay.committed(ANCHOR);
  await until(() => asked.length === 2);
  t.match(await relay.health.check(), { status: 'DOWN', details: { error: 'no broker' } });
  await until(() => asked.length === 3);
  t.same(asked[2], ['acme:anchor']);
  await until(() => logged.includes('events are published again'));
  t.same(logged, ['events wait in the journal', 'events are published again'], 'logged once, not at each attempt');
  t.match(await relay.health.check(), { status: 'UP' });
});

void t.test('a property that is stopped is logged and skipped while the others go on', async (t) => {
  const { relay, asked, answers, set } = world(t);
  answers.push(() => ({ ...NOTHING, stopped: [{ to: ANCHOR, seq: 9, why: 'it cannot be written' }] }));
  set.behind = [{ to: ANCHOR, rows: 1, since: 9_000 }];
  relay.begin();
  await until(() => relay.figures.stopped === 1);
  const { status, details } = await relay.health.check();
  t.equal(status, 'OUT_OF_SERVICE');
  t.match(details, { stopped: [{ ...ANCHOR, seq: 9, why: 'it cannot be written' }] });
  relay.committed(BELL);
  relay.committed(ANCHOR);
  await until(() => asked.length > 1);
  t.same(asked.slice(1).flat(), ['rival:bell'], 'though it has committed more');
});

void t.test('a node without its lease publishes nothing', async (t) => {
  const { relay, asked, set } = world(t);
  set.mayWork = false;
  relay.begin();
  relay.committed(ANCHOR);
  await new Promise((later) => setTimeout(later, 80));
  t.same(asked, []);
  set.mayWork = true;
  await until(() => asked.length === 1);
});

void t.test('shutdown waits only briefly for a running round', async (t) => {
  const { relay, asked, answers } = world(t);
  answers.push(() => new Promise<never>(() => undefined) as never);
  relay.begin();
  relay.committed(ANCHOR);
  await until(() => asked.length === 1);
  await relay[Symbol.asyncDispose]();
  t.same(asked, [['acme:anchor']]);
});
