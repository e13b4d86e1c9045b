import t from 'tap';

import { demandPressure } from './demand-pressure.ts';

t.test(
  'a property that fills better than usual asks more, one that does not less, and neither without bound',
  (t) => {
    t.equal(demandPressure(70, 70), 0);
    t.equal(demandPressure(80, 70), 5);
    t.equal(demandPressure(60, 70), -5);
    t.equal(demandPressure(70.6, 70), 0, 'no negative zero, no fractions');
    t.equal(demandPressure(69.6, 70), 0);
    t.ok(Object.is(demandPressure(69.6, 70), 0));
    t.equal(demandPressure(140, 40), 25);
    t.equal(demandPressure(0, 90), -15);
    t.end();
  },
);
