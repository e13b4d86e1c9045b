import t from 'tap';

import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { Gate } from '../src/testing/fake-clock.ts';
import { RING_ENTRIES } from './limits.ts';
import { Ring } from './ring.ts';

const entry = (seq: number, reservationId = 'r'): JournalEntry =>
  ({
    seq,
    entity: reservationId,
    guestName: 'Ada',
    facts: { bookings: seq % 2 ? [['HELD', null]] : [] },
  }) as unknown as JournalEntry;
const entries = (from: number, to: number): JournalEntry[] =>
  Array.from({ length: to - from + 1 }, (_, n) => entry(from + n));
const seqs = (of: readonly JournalEntry[] | undefined): number[] | undefined => of?.map(({ seq }) => seq);
const beginning = (seq: number, older: JournalEntry[] = []): Ring => new Ring({ seq, older: async () => older });

void t.test('a ring gives exactly the missing entries, or says that some are not in it', async (t) => {
  const ring = beginning(2);
  for (const seq of [3, 4, 5, 6]) ring.push(entry(seq));
  t.same(
    [6, 5, 2].map((seq) => seqs(ring.after(seq))),
    [[], [6], [3, 4, 5, 6]],
  );
  t.equal(ring.after(1), undefined, '2 is not in it');
  t.equal(ring.after(7), undefined, 'a position that was never reached');
  t.same(beginning(0).after(0), []);
  t.equal(beginning(0).after(3), undefined);
  t.same(beginning(7).after(7), [], 'who stands where it begins has missed nothing');
  t.equal(beginning(7).after(6), undefined);
});

void t.test('a ring keeps the newest 1,024 at least and twice that at most', async (t) => {
  const ring = beginning(0);
  t.equal(ring.whole(), undefined, 'nothing is older');
  for (let seq = 1; seq <= 5_000; seq++) ring.push(entry(seq));
  t.equal(ring.after(5_000 - RING_ENTRIES)?.length, RING_ENTRIES);
  t.equal(ring.after(5_000 - 2 * RING_ENTRIES - 1), undefined);
  t.same(ring.recent().length, 50);
  t.equal(ring.recent().at(-1)?.seq, 4_999);
});

void t.test('older entries are read once for all callers, and joins what was committed meanwhile', async (t) => {
  const gate = new Gate();
  let reads = 0;
  const older = async (): Promise<JournalEntry[]> => {
    reads += 1;
    await gate.opened;
    return entries(1, 5);
  };
  const ring = new Ring({ seq: 5, older });
  ring.push(entry(6));
  const asked = [ring.whole(), ring.whole()];
  ring.push(entry(7));
  t.equal(ring.after(3), undefined, 'not before it is there');
  gate.open();
  for (const one of asked) await one;
  t.same(seqs(ring.all()), [1, 2, 3, 4, 5, 6, 7]);
  t.same(seqs(ring.after(3)), [4, 5, 6, 7]);
  t.equal(ring.whole(), undefined);
  t.equal(reads, 1);
});

void t.test('what cannot be read is read again for the next caller', async (t) => {
  let tries = 0;
  const older = async (): Promise<JournalEntry[]> => {
    if (++tries === 1) throw new Error('no connection');
    return entries(1, 5);
  };
  const ring = new Ring({ seq: 5, older });
  await t.rejects(async () => ring.whole(), { message: 'no connection' });
  await ring.whole();
  t.same(seqs(ring.after(0)), [1, 2, 3, 4, 5]);
});

void t.test('entries that do not lead to where the ring begins are left out', async (t) => {
  const gap = beginning(5, [...entries(1, 2), ...entries(4, 5)]);
  await gap.whole();
  t.same(seqs(gap.all()), [4, 5], '3 is missing');
  const late = beginning(5, entries(1, 6));
  await late.whole();
  t.same(late.all(), [], 'another number than that of the state');
});

void t.test('what is so old that the ring has grown past it is not read, and does not come in late', async (t) => {
  const gate = new Gate();
  const ring = new Ring({ seq: 5, older: () => gate.opened.then(() => entries(1, 5)) });
  const reading = ring.whole();
  for (let seq = 6; seq <= 3_000; seq++) ring.push(entry(seq));
  gate.open();
  await reading;
  const all = seqs(ring.all())!;
  t.same([all.length, all.at(-1)], [RING_ENTRIES, 3_000]);
  t.same(seqs(ring.after(2_990))?.length, 10);
  t.equal(ring.after(3), undefined);
  const grown = new Ring({ seq: 5, older: async () => t.fail('is not read') as never });
  for (let seq = 6; seq <= 3_000; seq++) grown.push(entry(seq));
  t.equal(grown.whole(), undefined);
});

void t.test('a guest who is erased while older entries are read is not named by them', async (t) => {
  const gate = new Gate();
  const read = [entry(1, 'erased'), entry(2), entry(3, 'other'), entry(4)];
  const ring = new Ring({ seq: 4, older: () => gate.opened.then(() => read) });
  const reading = ring.whole();
  ring.push(entry(5, 'erased'));
  ring.forgetName('erased');
  gate.open();
  await reading;
  t.same(
    ring.all().map(({ guestName }) => guestName),
    [undefined, 'Ada', 'Ada', 'Ada', undefined],
  );
});
