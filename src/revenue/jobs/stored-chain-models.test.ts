import t from 'tap';

import { untilTime } from '../../testing/fake-clock.ts';
import { baseRates, bookCommand, DAY } from '../../testing/property-world.ts';
import { SearchedChain } from '../../testing/revenue/searched-chain.ts';
import { StoredChainModels } from './stored-chain-models.ts';

const QUICK = { everyMs: 5, buildWithinMs: 30_000, roundWithinMs: 30_000, failedMs: 5, freshMs: 100 };

void t.test(
  'the first search builds the model, and a model that cannot be built or followed is refused',
  async (t) => {
    const chain = new SearchedChain();
    chain.add('a');
    const limits = { ...QUICK, buildWithinMs: 1_000, roundWithinMs: 500 };
    await using models = new StoredChainModels(chain.sources(), limits);
    chain.fails = true;
    await t.rejects(models.model('acme'), { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 1 } });
    chain.fails = false;
    const { index, asOf } = await models.model('acme');
    t.same(index.propertyIds, ['a']);
    t.equal(asOf, chain.now);
    chain.fails = true;
    chain.now += 9_000;
    t.equal((await models.model('acme')).asOf, chain.now - 9_000, 'answers say how old they are');
    chain.now += 2_000;
    await t.rejects(models.model('acme'), { code: 'STALE' });
    chain.fails = false;
    t.equal((await models.model('acme')).asOf, chain.now, 'and it recovers by itself');
  },
);

void t.test('a model that nobody searches is dropped, and the next search builds another', async (t) => {
  const chain = new SearchedChain();
  chain.add('a');
  await using models = new StoredChainModels(chain.sources(), { ...QUICK, idleMs: 200 });
  await models.model('acme');
  await untilTime(() => models.size === 0, 'the end of the model');
  t.same((await models.model('acme')).index.propertyIds, ['a']);
});

void t.test('the model that was searched the longest ago goes first when memory is short', async (t) => {
  const chain = new SearchedChain();
  chain.add('a');
  await using models = new StoredChainModels(chain.sources(), { ...QUICK, maxBytes: 1 });
  await models.model('acme');
  await models.model('other');
  await untilTime(() => models.size <= 1, 'the end of the older model');
  t.equal(models.size, 1);
});

void t.test('cached states count as memory of their model', async (t) => {
  const chain = new SearchedChain();
  chain.add('a');
  // Two models fit, and one of them with the state of its property.
  await using models = new StoredChainModels(chain.sources(), { ...QUICK, maxBytes: 120_000 });
  const nights = { first: DAY + 3, last: DAY + 5 };
  for (const tenant of ['acme', 'other']) await models.model(tenant);
  t.equal(models.size, 2);
  for (const tenant of ['acme', 'other']) {
    const { views } = await models.model(tenant);
    for (let n = 0; n < 2; n++) await views(['a'], nights);
  }
  await untilTime(async () => (await models.model('acme'), models.size === 1), 'the end of the other model');
  t.equal(models.size, 1);
});

void t.test('a property that is quoted again at the same number is cached until it changes', async () => {
  const chain = new SearchedChain();
  chain.add('a');
  await using models = new StoredChainModels(chain.sources(), QUICK);
  const { views } = await models.model('acme');
  const nights = { first: DAY + 3, last: DAY + 5 };
  const look = async (): Promise<number> => (await views(['a'], nights))[0]!.seq;
  let before = 0;
  await untilTime(async () => {
    chain.reads.length = 0;
    before = await look();
    return chain.reads.length === 0;
  }, 'a look without a read');
  chain.send('a', bookCommand({ stay: { roomType: 'STD', checkIn: DAY + 3, checkOut: DAY + 5 } }));
  await untilTime(async () => (await look()) === before + 1, 'a booking is seen');
  chain.send('a', baseRates('STD', 9_900, DAY + 3, DAY + 4));
  await untilTime(async () => (await look()) === before + 2, 'and a price');
});
