import t from 'tap';
import type { CompetitorRate } from '../domain/competitor-rate.ts';
import type { CompetitorRates } from '../ports/competitor-rates.ts';
import { FrontDesk } from '../testing/front-desk.ts';
import { DAY, HOUSE, NOW } from '../testing/property-world.ts';
import { takeCompetitorRates } from './take-competitor-rates.ts';

const rate = (other: Partial<CompetitorRate> = {}): CompetitorRate => ({
  ...{ competitorId: 'plaza', roomType: 'STD', day: DAY, rate: 10_000, currency: 'EUR', observedAt: NOW },
  ...other,
});

t.test('rates that come as events must fit the house, and are kept beside those of feeds', async (t) => {
  const { services } = await FrontDesk.open(t);
  const added: unknown[] = [];
  const add: CompetitorRates['add'] = async (...of) => void added.push(of);
  const desk = { ...services, competitors: { add } as CompetitorRates };
  const wrong = [rate({ currency: 'USD' }), rate({ day: DAY - 1 }), rate({ roomType: 'NONE' })];
  t.same(await takeCompetitorRates(desk, HOUSE, wrong), { CURRENCY: 1, DATE: 1, ROOM_TYPE: 1 });
  t.same(added, []);
  t.same(await takeCompetitorRates(desk, HOUSE, [...wrong, rate()]), { CURRENCY: 1, DATE: 1, ROOM_TYPE: 1 });
  t.same(added, [[HOUSE, 'events', [rate()]]]);
  await t.rejects(takeCompetitorRates(desk, { ...HOUSE, propertyId: 'none' }, [rate()]), {
    code: 'PROPERTY_NOT_FOUND',
  });
});
