import t from 'tap';

import type { Command } from '../../../kernel/rules/commands.ts';
import { Random } from '../../../kernel/rules/random.ts';
import { baseRates, bookCommand, DAY, freshId, plan, restrict, roomType } from '../../../testing/property-world.ts';
import { SearchedChain } from '../../../testing/revenue/searched-chain.ts';
import { LEAST_PARTIES } from '../../rules/chain-search/party-class.ts';
import { ChainFollower } from './chain-follower.ts';

/** Every candidate of a few stays, as texts. */
function candidatesOf({ index }: ChainFollower): string[] {
  return [1, 3].flatMap((nights) =>
    [0, 4, 9, 20].flatMap((from) =>
      [
        { adults: 2, children: 0 },
        { adults: 1, children: 0 },
        { adults: 1, children: 1 },
      ].flatMap((party) => {
        const stay = { checkIn: DAY + from, checkOut: DAY + from + nights };
        const found = index.candidates({ ...stay, party, currency: 'EUR', limit: 1_000 });
        return found.map(
          ({ propertyId, roomType: type, bound }) => `${from} ${nights} ${propertyId} ${type} ${bound}`,
        );
      }),
    ),
  );
}

async function built(chain: SearchedChain): Promise<ChainFollower> {
  const follower = new ChainFollower(chain.sources(), 'acme');
  while (!follower.isBuilt) await follower.round();
  return follower;
}

function someCommand(random: Random): Command {
  const first = DAY + random.between(0, 22);
  const roomTypeCode = random.pick(['STD', 'DLX']);
  const nights = { start: first, end: first + random.between(0, 3) };
  switch (random.between(0, 7)) {
    case 0:
      return baseRates(roomTypeCode, random.between(50, 200) * 100, nights.start, nights.end);
    case 1:
      return restrict(
        { stopSell: random.chance(0.6) || null, ...(random.chance(0.3) && { closedToArrival: true }) },
        { ...nights, roomType: roomTypeCode, rateCode: 'BAR' },
      );
    case 2: {
      const code = random.pick(['A', 'DYN']);
      const strategy = code === 'DYN' ? ('DYNAMIC' as const) : ('FIXED' as const);
      const changed = plan({ id: freshId(), code, strategy, adjustmentPercent: random.between(-30, 10) });
      return { type: 'PUT_RATE_PLAN', plan: changed, mode: 'create' };
    }
    case 3:
      return { type: 'PUT_ROOM_TYPE', roomType: roomType(random.pick(['FAM', 'STE']), 2), mode: 'create' };
    default:
      return bookCommand({
        stay: { roomType: roomTypeCode, checkIn: first, checkOut: first + random.between(1, 4) },
      });
  }
}

void t.test('an index that follows the journals equals one that is built anew, whatever happens', async (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = new Random(seed);
    const chain = new SearchedChain();
    for (const id of ['a', 'b', 'c']) chain.add(id);
    const follower = await built(chain);
    for (let step = 0; step < 30; step++) {
      for (let n = random.between(1, 5); n > 0; n--)
        chain.send(random.pick([...chain.scenes.keys()]), someCommand(random));
      if (random.chance(0.05)) chain.add(`new-${step}`);
      await follower.round();
      const expected = candidatesOf(await built(chain));
      const found = candidatesOf(follower);
      if (JSON.stringify(found.toSorted()) === JSON.stringify(expected.toSorted())) continue;
      t.same(found.toSorted(), expected.toSorted(), `seed ${seed}, step ${step}`);
      return;
    }
    t.ok(candidatesOf(follower).length > 20, `seed ${seed}`);
  }
});

void t.test(
  'a booking sets bits and reads nothing; a price reads its nights; a plan reads the property',
  async (t) => {
    const chain = new SearchedChain();
    chain.add('a');
    chain.add('b');
    const follower = await built(chain);
    chain.reads.length = 0;
    chain.send('a', bookCommand({ stay: { roomType: 'STD', checkIn: DAY + 3, checkOut: DAY + 5 } }));
    await follower.round();
    t.same(chain.reads, []);
    chain.send('a', baseRates('STD', 9_900, DAY + 3, DAY + 4));
    await follower.round();
    t.same(chain.reads.splice(0), [['a']]);
    chain.send('a', restrict({ minStayArrival: 3 }, { start: DAY, end: DAY + 9, rateCode: 'BAR' }));
    await follower.round();
    t.same(chain.reads, [], 'a minimum stay changes no bound');
    chain.send('a', restrict({ stopSell: true }, { start: DAY, end: DAY + 9, rateCode: 'BAR' }));
    await follower.round();
    t.same(chain.reads.splice(0), [['a']]);
    chain.send('b', { type: 'PUT_RATE_PLAN', plan: plan({ id: freshId(), code: 'NEW' }), mode: 'create' });
    await follower.round();
    t.same(chain.reads.splice(0), [['b']]);
  },
);

void t.test('a removed property is gone, and asOf is the begin of the last round that could be read', async (t) => {
  const chain = new SearchedChain();
  chain.add('a');
  chain.add('b');
  const follower = await built(chain);
  chain.now += 1_000;
  chain.removed.add('b');
  await follower.round();
  t.equal(follower.asOf, chain.now);
  t.same(follower.index.propertyIds, ['a']);
  chain.fails = true;
  chain.now += 5_000;
  await t.rejects(follower.round());
  t.equal(follower.asOf, chain.now - 5_000);
});

void t.test('a property that the database has less of than was read is read again', async (t) => {
  const chain = new SearchedChain();
  const scene = chain.add('a');
  const before = scene.state;
  chain.send('a', bookCommand({ stay: { roomType: 'STD', checkIn: DAY + 3, checkOut: DAY + 5 } }));
  const follower = await built(chain);
  // A standby was promoted without the booking, and no node had the property in memory to notice that.
  scene.state = before;
  chain.journals.get('a')!.length = 0;
  await follower.round();
  t.equal(follower.index.position('a')?.seq, before.seq);
  t.same(candidatesOf(follower).toSorted(), candidatesOf(await built(chain)).toSorted());
});

void t.test(
  'a bound holds at the state that it was computed on, and not before its nights are read again',
  async (t) => {
    const chain = new SearchedChain();
    chain.add('a');
    const { index } = await built(chain);
    const seqOf = (): number => chain.scenes.get('a')!.view.seq;
    t.equal(index.boundHolds('a', seqOf()), true);
    chain.send('a', baseRates('STD', 9_900, DAY + 3, DAY + 4));
    t.equal(index.boundHolds('a', seqOf()), false, 'the index is older');
    const range = index.apply('a', await chain.entries([{ propertyId: 'a', seq: seqOf() - 1 }]));
    t.same(range, { first: DAY + 3, last: DAY + 4 });
    t.equal(index.boundHolds('a', seqOf()), false, 'its prices are older');
    index.patch('a', chain.scenes.get('a')!.view.searchedNights(DAY + 3, DAY + 4, LEAST_PARTIES));
    t.equal(index.boundHolds('a', seqOf()), true);
    t.equal(index.boundHolds('b', 0), false);
  },
);

void t.test('a property with many plans is read in slices, and others get their time in between', async (t) => {
  const chain = new SearchedChain();
  chain.add('a');
  for (let n = 0; n < 90; n++) {
    const one = plan({ id: freshId(), code: `P${n}`, baseRate: 9_000 + n });
    chain.send('a', { type: 'PUT_RATE_PLAN', plan: one, mode: 'create' });
  }
  for (let n = 0; n < 40; n++)
    chain.send('a', { type: 'PUT_ROOM_TYPE', roomType: roomType(`T${n}`, 2), mode: 'create' });
  let others = 0;
  const timer = setInterval(() => (others += 1), 0);
  const follower = await built(chain);
  clearInterval(timer);
  t.ok(others > 1, `${others} times`);
  const { view } = chain.scenes.get('a')!;
  const whole = view.searchedNights(view.businessDate, view.lastNight, LEAST_PARTIES);
  const before = candidatesOf(follower);
  follower.index.patch('a', whole);
  t.same(candidatesOf(follower), before, 'the same as at once');
  t.ok(whole[0]!.nights.length > 20);
});

void t.test('while properties are computed, the next are read, more at once and each one once', async (t) => {
  const chain = new SearchedChain();
  const ids = Array.from({ length: 100 }, (_, n) => `p${n}`);
  for (const id of ids) chain.add(id);
  const follower = new ChainFollower(chain.sources(), 'acme');
  await follower.round();
  t.ok(follower.isBuilt);
  t.same(chain.reads.flat(), ids);
  const sizes = chain.reads.map(({ length }) => length);
  t.ok(sizes[0]! < 10 && Math.max(...sizes) > 20, sizes.join(' '));
});

void t.test('a read that fails beside the computing of another is not lost', async (t) => {
  const chain = new SearchedChain();
  for (let n = 0; n < 100; n++) chain.add(`p${n}`);
  const { properties, ...sources } = chain.sources();
  let reads = 0;
  const views: typeof properties.views = (...what) =>
    (reads += 1) === 2 ? Promise.reject(new Error('away')) : properties.views(...what);
  const follower = new ChainFollower({ ...sources, properties: { views } }, 'acme');
  await t.rejects(follower.round(), { message: 'away' });
  t.equal(follower.isBuilt, false);
  await follower.round();
  t.ok(follower.isBuilt);
  t.equal(follower.index.size, 100);
});
