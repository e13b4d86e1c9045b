import { test } from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import { demoId } from './demo-ids.ts';
import { dueActs, type DeskView, type DeskStay } from './desk.ts';
import { advancedClock, deskClock } from './guests-clock.ts';

const TODAY = dayOf('2026-06-01');
const TIMEZONE = 'Europe/Lisbon';
const at = (time: string): number => Date.parse(`2026-06-01T${time}:00+01:00`);

const stay = (n: number, more: Partial<DeskStay['stayDetails']> = {}, channel = 'DIRECT'): DeskStay => ({
  reservationId: demoId(1, 'reservation', n, 0),
  guestInfo: { email: `ana.pinto.${n}@example.com` },
  stayDetails: { checkIn: '2026-06-01', checkOut: '2026-06-03', rateCode: 'FLEX', ...more },
  source: { channel },
});
const many = (count: number, more?: Partial<DeskStay['stayDetails']>, channel?: string): DeskStay[] =>
  Array.from({ length: count }, (_, n) => stay(n, more, channel));

const NOBODY: DeskView = { inHouse: [], arriving: [], tasks: [] };
const count = (view: Partial<DeskView>, time: string, kind: string): number =>
  dueActs({ ...NOBODY, ...view }, { at: at(time), today: TODAY, timezone: TIMEZONE }).filter(
    (act) => act.kind === kind,
  ).length;

void test('guests leave in the morning and arrive in the afternoon, one after the other', async (t) => {
  const inHouse = many(40, { checkIn: '2026-05-30', checkOut: '2026-06-01' });
  t.equal(count({ inHouse }, '05:30', 'CHECK_OUT'), 0);
  const early = count({ inHouse }, '08:00', 'CHECK_OUT');
  t.ok(early > 5 && early < 35, `${early}`);
  t.equal(count({ inHouse }, '11:30', 'CHECK_OUT'), 40);
  t.equal(count({ inHouse: many(3, { checkOut: '2026-06-02' }) }, '23:00', 'CHECK_OUT'), 0, 'who stays stays');
  t.equal(count({ inHouse: many(2, { checkOut: '2026-05-31' }) }, '04:00', 'CHECK_OUT'), 2, 'who should have left');
  const arriving = many(40);
  t.equal(count({ arriving }, '12:00', 'CHECK_IN'), 0);
  const some = count({ arriving }, '17:00', 'CHECK_IN');
  t.ok(some > 5 && some < 35, `${some}`);
  t.equal(count({ arriving }, '23:30', 'CHECK_IN'), 40);
  t.equal(count({ arriving: many(40, { rateCode: 'HOTEL' }) }, '17:50', 'CHECK_IN'), 40, 'before their release');
});

void test('some paid guests do not come, and are given up late in the evening', async (t) => {
  const arriving = many(400, {}, 'OTA');
  const come = count({ arriving }, '23:15', 'CHECK_IN');
  t.ok(come < 400 && come > 380, `${come}`);
  t.equal(count({ arriving }, '23:15', 'NO_SHOW'), 0);
  t.equal(count({ arriving }, '23:45', 'NO_SHOW'), 400 - come);
});

void test('rooms are cleaned a while after the guest has left', async (t) => {
  const tasks = [{ taskId: 'a', createdAt: new Date(at('09:00')).toISOString() }];
  t.equal(count({ tasks }, '09:20', 'CLEAN'), 0);
  t.equal(count({ tasks }, '09:45', 'CLEAN'), 1);
});

void test('guests of a visitor are left alone', async (t) => {
  const guestInfo = { email: 'me@example.com' };
  const leaves = { ...stay(1, { checkOut: '2026-06-01' }), guestInfo };
  t.same(
    dueActs(
      { ...NOBODY, inHouse: [leaves], arriving: [{ ...stay(2), guestInfo }] },
      { at: at('23:50'), today: TODAY, timezone: TIMEZONE },
    ),
    [],
  );
});

void test('the guests clock follows the pace, and catches up on a stop', async (t) => {
  const now = at('12:00');
  t.equal(advancedClock(now, 1_000, now, 'OFF'), now);
  t.equal(advancedClock(now, 1_000, now + 1_000, 'REAL'), now + 1_000);
  t.equal(advancedClock(now, 1_000, now, 'FAST'), now + 60_000);
  t.equal(advancedClock(now + 3_600_000, 1_000, now, 'REAL'), now + 3_601_000, 'ahead, it goes on as a clock');
  t.equal(advancedClock(now - 7_200_000, 1_000, now, 'REAL'), now - 7_140_000, 'behind, it catches up');
});

void test('the desk is never past its day', async (t) => {
  const now = at('12:00');
  t.equal(deskClock(now, now - 60_000, at('23:59'), 'REAL'), now);
  t.equal(deskClock(now, now - 60_000, at('23:59'), 'FAST'), now + 59 * 60_000);
  t.equal(deskClock(now, now - 3_600_000, at('23:59'), 'FAST'), at('23:59') - 1);
});
