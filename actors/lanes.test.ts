import t from 'tap';
import type { KeyClaim } from '../src/domain/commands.ts';
import type { CommitResult, PropertyStore, SealedBatch } from '../src/ports/property-store.ts';
import { Gate } from '../src/testing/fake-clock.ts';
import { Lanes } from './lanes.ts';

/** A store of which only `commit` is there; it answers as told and keeps what it was sent. */
function scripted(answer: (batches: readonly SealedBatch[]) => CommitResult | Promise<CommitResult>) {
  const calls: string[][] = [];
  const commit = async (_: number, batches: readonly SealedBatch[]): Promise<CommitResult> => {
    calls.push(batches.map(({ to }) => to.propertyId));
    return answer(batches);
  };
  return { store: { commit } as unknown as PropertyStore, calls };
}

function batch(propertyId: string, { entries = 1, cells = 0, tenantId = 'acme' } = {}): SealedBatch {
  const of = <T>(length: number): T[] => Array.from({ length }, () => ({}) as T);
  return {
    to: { tenantId, propertyId },
    entries: of(entries),
    changes: { cells: of(cells), rates: [] },
  } as unknown as SealedBatch;
}

const committed: CommitResult = { outcome: 'committed' };
const outcomes = (results: CommitResult[]): string[] => results.map(({ outcome }) => outcome);

void t.test('batches that gather while a call runs go out together, sorted by property', async (t) => {
  const gate = new Gate();
  const { store, calls } = scripted(async () => gate.opened.then(() => committed));
  const lanes = new Lanes(store, 1);
  const all = ['m', 'c', 'a', 'b'].map((name) => lanes.commit(batch(name)));
  t.equal(lanes.queued, 3);
  gate.open();
  t.same(outcomes(await Promise.all(all)), ['committed', 'committed', 'committed', 'committed']);
  t.same(calls, [['m'], ['a', 'b', 'c']]);
  t.equal(lanes.queued, 0);
});

void t.test('a call has at most 128 commands and 512 cells, and always one batch', async (t) => {
  const gate = new Gate();
  const { store, calls } = scripted(async () => gate.opened.then(() => committed));
  const lanes = new Lanes(store, 1);
  const sizes = [{}, { entries: 100 }, { entries: 29 }, { cells: 700 }, { cells: 500 }, { cells: 12 }, { cells: 1 }];
  const all = sizes.map((size, index) => lanes.commit(batch(`p${index}`, size)));
  gate.open();
  await Promise.all(all);
  t.same(calls, [['p0'], ['p1'], ['p2'], ['p3'], ['p4', 'p5'], ['p6']]);
});

void t.test('a property is always written by the same lane', async (t) => {
  const used = new Map<string, Set<number>>();
  const commit = async (lane: number, batches: readonly SealedBatch[]): Promise<CommitResult> => {
    for (const { to } of batches) used.set(to.propertyId, (used.get(to.propertyId) ?? new Set()).add(lane));
    return committed;
  };
  const lanes = new Lanes({ commit } as unknown as PropertyStore, 4);
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 40 }, (_, n) => lanes.commit(batch(`p${n}`))));
  t.ok([...used.values()].every((set) => set.size === 1));
  t.equal(new Set([...used.values()].flatMap((set) => [...set])).size, 4, 'and all lanes have work');
});

/** Sends `names` in one call behind one that is held back. */
async function together(store: PropertyStore, names: string[], tenants: string[] = []): Promise<CommitResult[]> {
  const lanes = new Lanes(store, 1);
  const first = lanes.commit(batch('first'));
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
  t.same(written.toSorted(), ['a', 'b', 'd', 'e', 'first', 'g'], 'each once');
});

void t.test('a fenced property leaves the call, the others are sent again', async (t) => {
  const { store, calls } = scripted((batches) => {
    const lost = batches.filter(({ to }) => to.propertyId === 'b').map(({ to }) => to);
    return lost.length > 0 ? { outcome: 'fenced', properties: lost } : committed;
  });
  t.same(outcomes(await together(store, ['a', 'b', 'c'])), ['committed', 'fenced', 'committed']);
  t.same(calls, [['first'], ['a', 'b', 'c'], ['a', 'c']]);
});

void t.test('each batch is told its own known keys and never those of another tenant (I8)', async (t) => {
  const key = (tenantId: string, name: string, result: string) => ({
    ...{ to: { tenantId, propertyId: 'inn' }, subject: 'clerk', answer: { result, seq: 1 } },
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

void t.test('an unknown or missing answer is told to all of the call', async (t) => {
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
