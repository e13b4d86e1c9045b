import t from 'tap';

import { dateIn } from './date-in.ts';

/** A Thursday. */
const TODAY = '2026-11-26';

t.test('dates are understood as people type them', async (t) => {
  const wanted: Record<string, string | undefined> = {
    '2026-12-24': '2026-12-24',
    ' Tomorrow ': '2026-11-27',
    today: TODAY,
    yesterday: '2026-11-25',
    '24 dec': '2026-12-24',
    'December 24': '2026-12-24',
    'dec 24, 2027': '2027-12-24',
    '24.12.': '2026-12-24',
    '1.2.2027': '2027-02-01',
    '3 March': '2027-03-03',
    fri: '2026-11-27',
    Thursday: '2026-12-03',
    wednes: '2026-12-02',
    '2026-02-30': undefined,
    '31 nov': undefined,
    frida: '2026-11-27',
    frieda: undefined,
    monroe: undefined,
    'ada 24': undefined,
    '204': undefined,
    '': undefined,
  };
  for (const [typed, date] of Object.entries(wanted)) t.equal(dateIn(typed, TODAY), date, typed);
});
