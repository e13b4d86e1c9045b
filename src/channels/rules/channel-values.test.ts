import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';

import type { Day } from '../../kernel/rules/dates.ts';
import type { PlanNight } from '../../rates/rules/queries.ts';
import {
  afterAnswer,
  allDoubtful,
  closedNights,
  countOfValues,
  doubtfulAfter,
  keyOfLine,
  type KnownLine,
  missingRuns,
  stopSell,
  valueOf,
  wantedNights,
  withoutDrift,
} from './channel-values.ts';
import type { ChannelRun, ChannelValue } from './channel.ts';

const FIRST = 20_000;
const LINE = { roomType: 'STD', ratePlan: 'BAR', externalRoom: 'R1', externalRate: 'P1' };
const MAPPED = { ...LINE, hasAvailability: true, hasRates: true };

const night = (day: Day, more: Partial<PlanNight> = {}): PlanNight => ({
  day,
  available: 3,
  rate: 10_000,
  closed: false,
  closedToArrival: false,
  closedToDeparture: false,
  minStay: 1,
  maxStay: Infinity,
  ...more,
});
const nights = (count: number, more: (index: number) => Partial<PlanNight> = () => ({})): PlanNight[] =>
  Array.from({ length: count }, (_, index) => night(FIRST + index, more(index)));

/** What a channel has after an answer. */
function after(known: Map<string, KnownLine>, taken: ChannelRun[], rejected: ChannelRun[] = [], at = 0): void {
  for (const line of afterAnswer(known, { taken, rejected, at }, FIRST)) known.set(keyOfLine(line), line);
}
const lineIn =
  (known: Map<string, KnownLine>) =>
  (line: typeof LINE): KnownLine | undefined =>
    known.get(keyOfLine(line));

t.test('a rate in another currency is another rate, and a channel that does not say one has it', (t) => {
  const known = new Map<string, KnownLine>();
  const priced = (currency: string, rate = 10_000) =>
    wantedNights(
      { ...MAPPED, currency },
      nights(2, () => ({ rate })),
    );
  const missing = (currency: string, rate?: number) => missingRuns([priced(currency, rate)], lineIn(known), 1);
  after(known, missing('EUR'));
  t.same(missing('EUR'), []);
  const dollars = missing('USD');
  t.same(dollars, [{ ...LINE, from: FIRST, to: FIRST + 1, rate: 10_000, currency: 'USD' }]);
  t.equal(countOfValues(dollars), 2);
  after(known, [], missing('USD', 12_000), 1);
  t.same(missing('USD', 12_000), [], 'what was not taken waits');
  t.match(missing('EUR', 12_000), [{ rate: 12_000, currency: 'EUR' }], 'in that currency');
  const line = [...known.values()][0]!;
  const range = { first: FIRST, last: FIRST };
  const has = (more: ChannelValue) => new Map([[FIRST, { ...line.taken.get(FIRST), ...more }]]);
  t.equal(withoutDrift(line, has({ currency: 'USD' }), range).nights, 1);
  const { currency: _, ...silent } = line.taken.get(FIRST)!;
  t.equal(withoutDrift(line, new Map([[FIRST, silent]]), range).nights, 0);
  t.end();
});

t.test('at first everything is missing, equal nights as one run; then only what has changed', (t) => {
  const known = new Map<string, KnownLine>();
  const all = missingRuns([wantedNights(MAPPED, nights(500))], lineIn(known), 0);
  t.match(all, [{ ...LINE, from: FIRST, to: FIRST + 499, availability: 3, rate: 10_000 }]);
  t.equal(all.length, 1);
  t.equal(countOfValues(all), 1_500);
  after(known, all);
  const sold = wantedNights(
    MAPPED,
    nights(500, (n) => (n === 7 || n === 8 ? { available: 2 } : {})),
  );
  const delta = missingRuns([sold], lineIn(known), 0);
  t.same(delta, [{ ...LINE, from: FIRST + 7, to: FIRST + 8, availability: 2 }], 'and only the member that has');
  after(known, delta);
  t.same(missingRuns([sold], lineIn(known), 0), []);
  t.end();
});

t.test('rates are within their bounds, and nothing is sent that is not to be', (t) => {
  const bounded = wantedNights({ ...MAPPED, minRate: 12_000, hasAvailability: false }, nights(1));
  t.same(bounded.nights.get(FIRST), { rate: 12_000 });
  const without = wantedNights(
    { ...MAPPED, maxRate: 9_000 },
    nights(1, () => ({ rate: null, closed: true })),
  );
  t.match(without.nights.get(FIRST), { rate: undefined, restrictions: { closed: true, maxStay: 0 } });
  t.end();
});

t.test('a value that was not taken waits five minutes, or until it changes', (t) => {
  const known = new Map<string, KnownLine>();
  const wanted = wantedNights(MAPPED, nights(2));
  const [run] = missingRuns([wanted], lineIn(known), 0);
  after(known, [], [run!], 1_000);
  t.same(missingRuns([wanted], lineIn(known), 300_000), []);
  t.equal(missingRuns([wanted], lineIn(known), 301_000).length, 1);
  const changed = wantedNights(
    MAPPED,
    nights(2, () => ({ available: 1 })),
  );
  const again = missingRuns([changed], lineIn(known), 2_000);
  t.same(again, [{ ...LINE, from: FIRST, to: FIRST + 1, availability: 1 }]);
  after(known, again, [], 2_000);
  t.same([...known.values()][0]!.rejected.get(FIRST)?.availability, undefined);
  t.end();
});

t.test('a line that is mapped no more is closed, and so are nights of which there are too few rooms', (t) => {
  const known = new Map<string, KnownLine>();
  after(known, missingRuns([wantedNights(MAPPED, nights(3))], lineIn(known), 0));
  const [line] = known.values();
  const closed = missingRuns([closedNights(line!, FIRST + 1)], lineIn(known), 0);
  t.match(closed, [{ from: FIRST + 1, to: FIRST + 2, availability: 0, restrictions: { closed: true } }]);
  const fewer = wantedNights(
    MAPPED,
    nights(3, (n) => ({ available: n === 1 ? 2 : 4 })),
  );
  const stopped = missingRuns([stopSell(fewer, line)], lineIn(known), 0);
  t.match(stopped, [{ from: FIRST + 1, to: FIRST + 1, availability: 0, restrictions: { closed: true } }]);
  t.equal(stopped.length, 1);
  t.end();
});

t.test('what was not answered is doubtful: it is sent again, also when it is as before', (t) => {
  const known = new Map<string, KnownLine>();
  const before = wantedNights(MAPPED, nights(3));
  after(known, missingRuns([before], lineIn(known), 0));
  const more = wantedNights(
    MAPPED,
    nights(3, (n) => (n === 1 ? { available: 4, rate: 12_000 } : {})),
  );
  const unanswered = missingRuns([more], lineIn(known), 1_000);
  for (const line of doubtfulAfter(known, unanswered)) known.set(keyOfLine(line), line);
  t.same(doubtfulAfter(known, unanswered), [], 'nothing new is recorded of a repeat');
  t.same(missingRuns([more], lineIn(known), 1_000), unanswered);
  const [line] = known.values();
  t.same([...stopSell(before, line).nights.keys()], [FIRST + 1], 'it may sell the fourth room');
  const fewer = doubtfulAfter(known, [{ ...LINE, from: FIRST + 1, to: FIRST + 1, availability: 2 }]);
  t.same(fewer, [], 'and still may while fewer are not answered either');
  t.equal(closedNights(line!, FIRST).nights.size, 3);
  const back = missingRuns([before], lineIn(known), 1_000);
  t.same(back, [{ ...LINE, from: FIRST + 1, to: FIRST + 1, availability: 3, rate: 10_000 }]);
  const [{ rate, ...rooms }] = back as [ChannelRun];
  after(known, [], [rooms], 2_000);
  t.match(missingRuns([before], lineIn(known), 3_000), [{ from: FIRST + 1, rate }], 'what else was doubtful, too');
  after(known, back, [], 4_000);
  t.same(missingRuns([before], lineIn(known), 4_000), []);
  t.same([...known.values()][0]!.rejected.size, 0);
  t.end();
});

t.test(
  'what a channel perhaps has no more is sent again, and until then it may have the most that it was sent',
  (t) => {
    const known = new Map<string, KnownLine>();
    const before = wantedNights(MAPPED, nights(3));
    after(known, missingRuns([before], lineIn(known), 0));
    const [had] = known.values();
    const doubtful = allDoubtful(had!);
    known.set(keyOfLine(doubtful), doubtful);
    const less = wantedNights(
      MAPPED,
      nights(3, () => ({ available: 1 })),
    );
    const unanswered = missingRuns([less], lineIn(known), 1_000);
    t.match(unanswered, [{ from: FIRST, to: FIRST + 2, availability: 1, rate: 10_000 }]);
    for (const line of doubtfulAfter(known, unanswered)) known.set(keyOfLine(line), line);
    t.same(doubtfulAfter(known, unanswered), []);
    const [line] = known.values();
    t.equal(stopSell(less, line).nights.size, 3, 'it may sell three rooms');
    t.equal(closedNights(line!, FIRST).nights.size, 3, 'a line that is mapped no more is closed, whatever it has');
    after(known, unanswered, [], 2_000);
    t.equal(stopSell(less, [...known.values()][0]).nights.size, 0);
    t.end();
  },
);

t.test('what was not taken still waits after another member of its night was sent', (t) => {
  const known = new Map<string, KnownLine>();
  const send = (wanted: ReturnType<typeof wantedNights>, now: number): ChannelRun[] => {
    const runs = missingRuns([wanted], lineIn(known), now);
    for (const line of doubtfulAfter(known, runs)) known.set(keyOfLine(line), line);
    after(known, [], runs, now);
    return runs;
  };
  t.equal(send(wantedNights(MAPPED, nights(1)), 1_000).length, 1);
  const dearer = wantedNights(
    MAPPED,
    nights(1, () => ({ rate: 12_000 })),
  );
  t.same(send(dearer, 2_000), [{ ...LINE, from: FIRST, to: FIRST, rate: 12_000 }]);
  t.same(send(dearer, 3_000), [], 'neither of them comes again at once');
  t.equal([...known.values()][0]!.doubtful.size, 0);
  t.end();
});

t.test('what a channel has forgotten is missing again', (t) => {
  const known = new Map<string, KnownLine>();
  const wanted = wantedNights(MAPPED, nights(4));
  after(known, missingRuns([wanted], lineIn(known), 0));
  const [line] = known.values();
  const has = new Map(wanted.nights);
  const between = { first: FIRST, last: FIRST + 3 };
  t.match(withoutDrift(line!, has, between), { nights: 0 });
  has.delete(FIRST + 2);
  has.set(FIRST, { ...has.get(FIRST), availability: 9 });
  const drifted = withoutDrift(line!, has, between);
  t.equal(drifted.nights, 2);
  known.set(keyOfLine(line!), drifted.line);
  t.same(
    missingRuns([wanted], lineIn(known), 0).map(({ from, to, rate }) => [from, to, rate]),
    [
      [FIRST, FIRST, undefined],
      [FIRST + 2, FIRST + 2, 10_000],
    ],
  );
  t.end();
});

t.test('of restrictions only those that have changed are missing', (t) => {
  const known = new Map<string, KnownLine>();
  const send = (night: object, taken = true): unknown[] => {
    const wanted = wantedNights(
      MAPPED,
      nights(2, () => night),
    );
    const runs = missingRuns([wanted], lineIn(known), 0);
    if (taken) after(known, runs);
    return runs.map(({ restrictions }) => restrictions);
  };
  const all = { closed: false, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 0 };
  t.same(send({}), [all], 'at first all of them');
  t.same(send({ minStay: 3 }, false), [{ minStay: 3 }]);
  t.same(send({ minStay: 3, closed: true }), [{ closed: true, minStay: 3 }]);
  t.same(send({ minStay: 3, closed: true }), []);
  t.same(send({ closed: true, maxStay: 5 }), [{ minStay: 1, maxStay: 5 }], 'the others stay');
  const wanted = wantedNights(
    MAPPED,
    nights(2, () => ({ closed: true, maxStay: 5, closedToArrival: true })),
  );
  const runs = missingRuns([wanted], lineIn(known), 0);
  after(known, [], runs, 1_000);
  t.same(missingRuns([wanted], lineIn(known), 2_000), [], 'what it did not take waits');
  t.same(send({ maxStay: 5, closedToArrival: true }, false), [{ closed: false }], 'and nothing else does');
  for (const line of doubtfulAfter(known, runs)) known.set(keyOfLine(line), line);
  t.match(
    missingRuns([wanted], lineIn(known), 2_000).map(({ restrictions }) => restrictions),
    [{ closedToArrival: true }],
    'what was sent without an answer is sent again',
  );
  t.end();
});

/** What a channel has after a message. */
const stored = (before: ChannelValue = {}, value: ChannelValue): ChannelValue => {
  const restrictions = { ...before.restrictions, ...value.restrictions };
  return { ...before, ...valueOf(value), ...(Object.keys(restrictions).length > 0 && { restrictions }) };
};

const values = fc.record({
  available: fc.integer({ min: 0, max: 2 }),
  rate: fc.constantFrom(null, 10_000, 11_000),
  closed: fc.boolean(),
  minStay: fc.integer({ min: 1, max: 2 }),
});

t.test(
  'a channel that stores without an answer, or answers nothing, ends with the state of the property',
  async () => {
    const states = fc.array(fc.array(values, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(states, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), (all, answers) => {
        const known = new Map<string, KnownLine>();
        const channel = new Map<Day, ChannelValue>();
        const send = (wanted: ReturnType<typeof wantedNights>, how: number): void => {
          const runs = missingRuns([wanted], lineIn(known), 1_000);
          // 0 is lost, 1 stored but not answered, 2 taken.
          if (how > 0)
            for (const run of runs)
              for (let day = run.from; day <= run.to; day++) channel.set(day, stored(channel.get(day), run));
          if (how === 2) after(known, runs, [], 1_000);
          else for (const line of doubtfulAfter(known, runs)) known.set(keyOfLine(line), line);
        };
        const wanted = all.map((state) =>
          wantedNights(
            MAPPED,
            nights(6, (n) => state[n]!),
          ),
        );
        for (const one of wanted) send(one, answers.next().value);
        send(wanted.at(-1)!, 2);
        return [...wanted.at(-1)!.nights].every(([day, value]) =>
          Object.entries(value).every(([name, one]) => isDeepStrictEqual(one, channel.get(day)?.[name as never])),
        );
      }),
    );
  },
);

t.test('a channel that takes some of each message ends with the state of the property', async () => {
  const states = fc.array(fc.array(values, { minLength: 12, maxLength: 12 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(states, fc.infiniteStream(fc.boolean()), (all, takes) => {
      const known = new Map<string, KnownLine>();
      const channel = new Map<Day, ChannelValue>();
      let now = 0;
      const sendAll = (wanted: ReturnType<typeof wantedNights>, isPartial: boolean): void => {
        for (let round = 0; round < 3; round++) {
          const runs = missingRuns([wanted], lineIn(known), (now += 300_000));
          const taken = runs.filter(() => !isPartial || takes.next().value);
          after(
            known,
            taken,
            runs.filter((run) => !taken.includes(run)),
            now,
          );
          for (const run of taken)
            for (let day = run.from; day <= run.to; day++) channel.set(day, stored(channel.get(day), run));
        }
      };
      let wanted = wantedNights(MAPPED, []);
      for (const state of all)
        sendAll(
          (wanted = wantedNights(
            MAPPED,
            nights(12, (n) => state[n]!),
          )),
          true,
        );
      sendAll(wanted, false);
      return [...wanted.nights].every(([day, value]) => {
        const has = channel.get(day);
        return Object.entries(value).every(([name, one]) => isDeepStrictEqual(one, has?.[name as never]));
      });
    }),
  );
});
