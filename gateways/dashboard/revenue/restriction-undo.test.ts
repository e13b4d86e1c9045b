import t from 'tap';

import { stepsBack } from './restriction-undo.ts';

const CODES = ['BAR', 'FLEX'];
const cell = (date: string) => ({ roomType: 'STD', date });
const had = (rateCode: string, date: string, more: object) => ({ rateCode, ...cell(date), ...more });
const nights = (start: string, end = start) => ({ roomType: 'STD', start, end });

t.test('what nobody had is nothing again, in one request for a run of nights', async (t) => {
  const cells = ['2026-12-01', '2026-12-02', '2026-12-04'].map(cell);
  t.same(stepsBack(cells, 'stopSell', [had('BAR', '2026-12-01', { stopSell: false })], CODES), [
    { nights: nights('2026-12-01', '2026-12-02'), change: { stopSell: null } },
    { nights: nights('2026-12-04'), change: { stopSell: null } },
  ]);
});

t.test('what all plans had was a rule, and is one again', async (t) => {
  const before = CODES.map((code) => had(code, '2026-12-01', { minStayArrival: 2 }));
  t.same(stepsBack([cell('2026-12-01')], 'minStayArrival', before, CODES), [
    { nights: nights('2026-12-01'), change: { minStayArrival: 2 } },
  ]);
});

t.test('what one plan had, or each another, is theirs again, and no rule for others', async (t) => {
  const own = [had('BAR', '2026-12-01', { minStayArrival: 3 })];
  t.same(stepsBack([cell('2026-12-01')], 'minStayArrival', own, CODES), [
    { nights: nights('2026-12-01'), change: { minStayArrival: null } },
    { nights: nights('2026-12-01'), rateCode: 'BAR', change: { minStayArrival: 3 } },
  ]);
  const each = [...own, had('FLEX', '2026-12-01', { minStayArrival: 2 })];
  t.same(
    stepsBack([cell('2026-12-01')], 'minStayArrival', each, CODES).map(({ rateCode, change }) => [rateCode, change]),
    [
      [undefined, { minStayArrival: null }],
      ['BAR', { minStayArrival: 3 }],
      ['FLEX', { minStayArrival: 2 }],
    ],
  );
});
