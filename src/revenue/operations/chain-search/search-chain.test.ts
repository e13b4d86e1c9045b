import t from 'tap';

import { partyOfPersons } from '../../../rates/rules/stay.ts';
import { CALLER, TestFrontDesk } from '../../../testing/front-desk.ts';
import { DAY } from '../../../testing/property-world.ts';
import { SearchedChain } from '../../../testing/revenue/searched-chain.ts';
import { ChainFollower } from './chain-follower.ts';
import { searchChain } from './search-chain.ts';

void t.test('offers of a search over all properties count nothing for the learning of demand', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const chain = new SearchedChain();
  chain.add('a');
  const follower = new ChainFollower(chain.sources(), 'acme');
  while (!follower.isBuilt) await follower.round();
  const { views } = chain.sources().properties;
  const model = async () => ({
    index: follower.index,
    asOf: chain.now,
    found: new Map(),
    views: (ids: readonly string[], nights: { first: number; last: number }) => views('acme', ids, nights),
  });
  const services = { ...desk.services, chainModels: { model } };
  const body = { checkIn: DAY + 3, checkOut: DAY + 5, ...partyOfPersons(2), limit: 10 };
  const { offers } = await searchChain(services, CALLER, body);
  t.ok(offers.length > 0);
  t.same(services.quoteCounts.take(), []);
});
