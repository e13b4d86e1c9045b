import t from 'tap';

import { isLateArrival } from './late-arrival.ts';

const LISBON = { timezone: 'Europe/Lisbon', checkInTime: '15:30', noShowGraceMinutes: 60 };
const AT = Date.parse('2026-07-01T15:30:00Z');

t.test('a guest is late once check-in time and the grace are over, in the zone of the property', async (t) => {
  const stay = { status: 'CONFIRMED', checkIn: '2026-07-01' };
  t.notOk(isLateArrival(stay, LISBON, AT - 1));
  t.ok(isLateArrival(stay, LISBON, AT));
  t.ok(isLateArrival({ ...stay, checkIn: '2026-06-30' }, LISBON, AT - 1), 'since yesterday');
  t.notOk(isLateArrival({ ...stay, checkIn: '2026-07-02' }, LISBON, AT));
  t.notOk(isLateArrival({ ...stay, status: 'CHECKED_IN' }, LISBON, AT));
});
