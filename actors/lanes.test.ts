import t from 'tap';

import type { KeyClaim } from '../src/kernel/rules/commands.ts';
import type { CommitResult, PropertyStore, FinalizedBatch } from '../src/property-store/ports.ts';
import { Gate } from '../src/testing/fake-clock.ts';
import { Lanes } from './lanes.ts';
import { AHEAD_CALL_COMMANDS } from './limits.ts';

/** A store with only `commit`; it answers as set and records what it was sent. */
function scripted(answer: (batches: readonly FinalizedBatch[]) => CommitResult | Promise<CommitResult>) {
  const calls: string[][] = [];
  const commit = async (_: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> => {
    calls.push(batches.map(({ to }) => to.propertyId));
    return answer(batches);
  };
  return { store: { commit } as unknown as PropertyStore, calls };
}

function batch(propertyId: string, { entries = 1, cells = 0, tenantId = 'acme' } = {}): FinalizedBatch {
  const of = <T>(length: number): T[] => Array.from({ length }, () => ({}) as T);
  return {
    to: { tenantId, propertyId },
    entries: of(entries),
    changes: { cells: of(cells), books: [], rates: [], signals: [], restrictions: [], promotions: [], groups: [] },
  } as unknown as FinalizedBatch;
}

/** As much as is sent behind a call under way. */
const MUCH = { entries: AHEAD_CALL_COMMANDS };

const committed: CommitResult = { outcome: 'committed' };
const outcomes = (results: CommitResult[]): string[] => results.map(({ outcome }) => outcome);

void t.test(
  'batches that come while a call runs go out together behind its answer, sorted by property',
  async (t) => {
    const gate = new Gate();
    const { store, calls } = scripted(async () => gate.opened.then(() => committed));
    const lanes = new Lanes(store, 1);
    const all = ['m', 'c', 'a', 'b'].map((name) => lanes.commit(batch(name)));
    t.equal(lanes.queued, 3);
    gate.open();
    await Promise.all(all);
    t.same(calls, [['m'], ['a', 'b', 'c']]);
  },
);

void t.test(
  'when much comes while a call runs, a second one follows it, and what gathers then goes out together',
  async (t) => {
    const gate = new Gate();
    const { store, calls } = scripted(async () => gate.opened.then(() => committed));
    const lanes = new Lanes(store, 1);
    const all = ['m', 'n', 'c', 'a', 'b'].map((name) => lanes.commit(batch(name, name === 'n' ? MUCH : {})));
    t.equal(lanes.queued, 3);
    gate.open();
    t.same(
      outcomes(await Promise.all(all)),
      all.map(() => 'committed'),
    );
    t.same(calls, [['m'], ['n'], ['a', 'b', 'c']]);
    t.equal(lanes.queued, 0);
  },
);

void t.test('two batches of one property are never in one call, and keep their order', async (t) => {
  const gate = new Gate();
  const { store, calls } = scripted(async () => gate.opened.then(() => committed));
  const lanes = new Lanes(store, 1);
  const all = ['m', 'n', 'a', 'b', 'a', 'c'].map((name) => lanes.commit(batch(name, name === 'n' ? MUCH : {})));
  gate.open();
  await Promise.all(all);
  t.same(calls, [['m'], ['n'], ['a', 'b'], ['a', 'c']]);
});

void t.test('what was sent behind a failed call gets its error, and others in it are written', async (t) => {
  for (const failure of ['rejected', 'known-keys', 'unavailable', 'fenced'] as const) {
    let before = 0;
    const { store, calls } = scripted((batches): CommitResult => {
      if (!batches.some(({ to }) => to.propertyId === 'a')) return committed;
      if (before++ > 0) return { outcome: 'fenced', properties: [batches[0]!.to] };
      const key = { to: batches[0]!.to, subject: 's', key: 'k', fingerprint: 'f', ref: 'r', answer: null };
      return { outcome: failure, reason: 'poison', detail: '', keys: [key], properties: [key.to] };
    });
    const lanes = new Lanes(store, 1);
    const first = lanes.commit(batch('a'));
    const behind = lanes.commit(batch('a', MUCH));
    const waiting = [lanes.commit(batch('a')), lanes.commit(batch('b'))];
    t.same(outcomes(await Promise.all([first, behind])), [failure, 'overtaken']);
    t.same(outcomes(await Promise.all(waiting)), ['fenced', 'committed'], 'what comes later is judged for itself');
    t.same(calls, [['a'], ['a'], ['a', 'b'], ['b']]);
  }
});

void t.test('a property that shared the failed call is not fenced for coming too early', async (t) => {
  const written = new Map<string, number>();
  const { store } = scripted((batches): CommitResult => {
    if (batches.some(({ to }) => to.propertyId === 'bad'))
      return { outcome: 'rejected', reason: 'poison', detail: '' };
    const early = batches.filter(({ to, oldSeq }) => (written.get(to.propertyId) ?? 0) !== oldSeq);
    if (early.length > 0) return { outcome: 'fenced', properties: early.map(({ to }) => to) };
    for (const { to, newSeq } of batches) written.set(to.propertyId, newSeq);
    return committed;
  });
  const lanes = new Lanes(store, 1);
  const numbered = (name: string, oldSeq: number, size = {}): FinalizedBatch => ({
    ...batch(name, size),
    oldSeq,
    newSeq: oldSeq + 1,
  });
  const fillers = [{}, MUCH].map((size, n) => lanes.commit(numbered(`filler-${n}`, 0, size)));
  const all = [numbered('bad', 0), numbered('good', 0), numbered('good', 1, MUCH), numbered('other', 0)];
  const results = all.map((sealed) => lanes.commit(sealed));
  await Promise.all(fillers);
  t.same(outcomes(await Promise.all(results)), ['rejected', 'committed', 'overtaken', 'committed']);
});

void t.test('a key that is claimed in the same moment is retried, but not for ever', async (t) => {
  let races = 2;
  const { store, calls } = scripted(() => (races-- > 0 ? { outcome: 'raced' } : committed));
  const lanes = new Lanes(store, 1);
  t.same(await lanes.commit(batch('a')), committed);
  t.equal(calls.length, 3);
  races = 10;
  t.match(await lanes.commit(batch('a')), { outcome: 'rejected', reason: 'poison' });
});

void t.test('a call has at most 128 commands and 512 cells, and always one batch', async (t) => {
  const gate = new Gate();
  const { store, calls } = scripted(async () => gate.opened.then(() => committed));
  const lanes = new Lanes(store, 1);
  const sizes = [
    {},
    MUCH,
    { entries: 100 },
    { entries: 29 },
    { cells: 700 },
    { cells: 500 },
    { cells: 12 },
    { cells: 1 },
  ];
  const all = sizes.map((size, index) => lanes.commit(batch(`p${index}`, size)));
  gate.open();
  await Promise.all(all);
  t.same(calls, [['p0'], ['p1'], ['p2'], ['p3'], ['p4'], ['p5', 'p6'], ['p7']]);
});

void t.test('a property is always written by the same lane', async (t) => {
  const used = new Map<string, Set<number>>();
  const commit = async (lane: number, batches: readonly FinalizedBatch[]): Promise<CommitResult> => {
    for (const { to } of batches) used.set(to.propertyId, (used.get(to.propertyId) ?? new Set()).add(lane));
    return committed;
  };
  const lanes = new Lanes({ commit } as unknown as PropertyStore, 4);
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 40 }, (_, n) => lanes.commit(batch(`p${n}`))));
  t.ok([...used.values()].every((set) => set.size === 1));
  t.equal(new Set([...used.values()].flatMap((set) => [...set])).size, 4, 'and all lanes have work');
});

/** Sends `names` in one call behind two others. */
async function together(store: PropertyStore, names: string[], tenants: string[] = []): Promise<CommitResult[]> {
  const lanes = new Lanes(store, 1);
  const first = Promise.all([lanes.commit(batch('first')), lanes.commit(batch('second', MUCH))]);
  const rest = names.map((name, index) => lanes.commit(batch(name, { tenantId: tenants[index] })));
  await first;
  return Promise.all(rest);
}

void t.test('a batch that cannot be written is found, and the others are written', async (t) => {
  const bad = new Set(['c', 'f']);
  const { store, calls } = scripted((batches) =>
    batches.some(({ to }) => bad.has(to.propertyId))
      ? { outcome: 'rejected', reason: 'poison', detail: '' }
      : committed,
  );
  const results = await together(store, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  t.same(outcomes(results), [
    'committed',
    'committed',
    'rejected',
    'committed',
    'committed',
    'rejected',
    'committed',
  ]);
  const written = calls.filter((call) => !call.some((name) => bad.has(name))).flat();
  t.same(written.toSorted(), ['a', 'b', 'd', 'e', 'first', 'g', 'second'], 'each once');
});

void t.test('a fenced property leaves the call, the others are sent again', async (t) => {
  const { store, calls } = scripted((batches) => {
    const lost = batches.filter(({ to }) => to.propertyId === 'b').map(({ to }) => to);
    return lost.length > 0 ? { outcome: 'fenced', properties: lost } : committed;
  });
  t.same(outcomes(await together(store, ['a', 'b', 'c'])), ['committed', 'fenced', 'committed']);
  t.same(calls, [['first'], ['second'], ['a', 'b', 'c'], ['a', 'c']]);
});

void t.test('each batch gets its own known keys and never those of another tenant (I8)', async (t) => {
  const key = (tenantId: string, name: string, result: string) => ({
    to: { tenantId, propertyId: 'inn' },
    subject: 'clerk',
    answer: { result, seq: 1 },
    ...({ key: name, fingerprint: 'f', ref: '' } satisfies KeyClaim),
  });
  const { store } = scripted((batches) =>
    batches.length > 1
      ? { outcome: 'known-keys', keys: [key('acme', 'k1', 'ours'), key('rival', 'k2', 'theirs')] }
      : committed,
  );
  const results = await together(store, ['inn', 'inn'], ['acme', 'rival']);
  t.match(results[0], { keys: [{ to: { tenantId: 'acme' }, answer: { result: 'ours' } }] });
  t.match(results[1], { keys: [{ to: { tenantId: 'rival' }, answer: { result: 'theirs' } }] });
  t.same(
    results.map((result) => result.outcome === 'known-keys' && result.keys.length),
    [1, 1],
  );
});

void t.test('an unknown or missing answer goes to all of the call', async (t) => {
  for (const outcome of ['unknown', 'unavailable'] as const) {
    const { store } = scripted((batches) => (batches.length > 1 ? { outcome, detail: '' } : committed));
    t.same(outcomes(await together(store, ['a', 'b'])), [outcome, outcome]);
  }
});

void t.test('a store that throws leaves the outcome unknown, and the lane goes on', async (t) => {
  let broken = true;
  const { store } = scripted(async () => {
    if (!broken) return committed;
    throw new Error('broken');
  });
  const lanes = new Lanes(store, 1);
  t.same(await lanes.commit(batch('a')), { outcome: 'unknown' });
  broken = false;
  t.same(await lanes.commit(batch('a')), committed);
});
