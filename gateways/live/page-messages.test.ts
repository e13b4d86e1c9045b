import t from 'tap';

import type { GridItem } from '../../src/live/contracts/live.ts';
import {
  daysFrom,
  instantOfLocal,
  localText,
  momentText,
  shortTime,
  shownBusinessDate,
  shownZone,
} from '../dashboard/grid/days.ts';
import { announceConnection, describeCell, describeConnection, moodOf, tenthsSold } from '../dashboard/messages.ts';
import { deedWord } from '../dashboard/revenue/night/deed-messages.ts';

const NOON = Date.parse('2026-03-01T12:03:11');

t.test('the state of the connection is a message', async (t) => {
  const say = (state: Parameters<typeof describeConnection>[0], from?: number) =>
    describeConnection(state, NOON, from);
  t.equal(say({ kind: 'connecting' }), 'Connecting');
  t.equal(say({ kind: 'catching-up' }), 'Catching up');
  t.equal(say({ kind: 'live', lagMs: undefined }), 'Live');
  t.equal(say({ kind: 'live', lagMs: 12.4 }), 'Live, 12 ms behind');
  t.equal(say({ kind: 'live', lagMs: 0.1 }), 'Live, 1 ms behind');
  t.equal(say({ kind: 'live', lagMs: 1234 }), 'Live, 1.2 s behind');
  t.equal(say({ kind: 'reconnecting', attempt: 3, retryAt: NOON + 3_500 }), 'Reconnecting, attempt 3, next in 4 s');
  t.equal(say({ kind: 'reconnecting', attempt: 3, retryAt: NOON }), 'Reconnecting, attempt 3');
  t.equal(say({ kind: 'offline' }, NOON), 'Offline, showing data from 12:03:11');
  t.equal(say({ kind: 'offline' }), 'Offline');
  t.equal(say({ kind: 'signed-out', because: 'token' }), 'Signed out');
  t.equal(
    announceConnection({ kind: 'live', lagMs: 12 }, NOON, NOON),
    'Live',
    'nobody wants milliseconds read aloud',
  );
});

t.test('a cell says what is left of it', async (t) => {
  t.equal(moodOf(cell({ availableRooms: 30 })), 'open');
  t.equal(moodOf(cell({ availableRooms: 5, bookedRooms: 55 })), 'few');
  t.equal(moodOf(cell({ availableRooms: 6, bookedRooms: 54 })), 'open');
  t.equal(moodOf(cell({ availableRooms: 1, totalRooms: 4, bookedRooms: 3 })), 'few');
  t.equal(moodOf(cell({ availableRooms: 0, bookedRooms: 60 })), 'full');
  t.equal(moodOf(cell({ availableRooms: 0, blockedRooms: 60 })), 'closed');
  t.equal(tenthsSold(cell({ bookedRooms: 27, heldRooms: 10 })), 5, 'held rooms are not sold');
  t.equal(tenthsSold(cell({ totalRooms: 0 })), 10);
  t.match(describeCell(cell({ availableRooms: 4, bookedRooms: 56 })), /^STD, Sunday.*: 4 of 60 left, €119\.00$/);
  t.match(describeCell(cell({ availableRooms: 0, bookedRooms: 60, rate: null })), /: sold out, no rate$/);
});

t.test('what happened to a night is said as it was: what is not paid for is held, and never booked', async (t) => {
  const held = { heldRooms: { from: 2, to: 3 } };
  const booked = { bookedRooms: { from: 2, to: 3 } };
  t.equal(deedWord('BOOK', held), 'Held, unpaid');
  t.equal(deedWord('BOOK', booked), 'Booked');
  t.equal(
    deedWord('BOOK', { ...booked, heldRooms: { from: 1, to: 0 } }),
    'Booked',
    'out of a hold, with nothing to pay',
  );
  t.equal(deedWord('PLACE_HOLD', held), 'Held');
  t.equal(deedWord('START_BOOKING', held), 'Held for a booking');
  t.equal(deedWord('CONFIRM_BOOKING', booked), 'Booked');
  t.equal(deedWord('CANCEL', booked), 'Cancelled');
  t.equal(deedWord('MODIFY', booked), 'Booking changed');
  t.equal(deedWord('LAPSE', { heldRooms: { from: 1, to: 0 } }), 'Hold expired');
  t.equal(deedWord('SET_ROOM_STATUS', {}), 'Set room status');
});

t.test('days know their weekday, and the business date rolls at the hour of the night audit', async (t) => {
  const days = daysFrom('2026-02-27', 4);
  t.strictSame(
    days.map(({ date, isWeekend }) => [date, isWeekend]),
    [
      ['2026-02-27', true],
      ['2026-02-28', true],
      ['2026-03-01', false],
      ['2026-03-02', false],
    ],
  );
  const at = Date.parse('2026-03-01T02:30:00Z');
  t.equal(shownBusinessDate(at, 'Europe/Lisbon', 3), '2026-02-28');
  t.equal(shownBusinessDate(at, 'Europe/Lisbon', 2), '2026-03-01');
  t.equal(shownBusinessDate(at, 'America/Denver', 3), '2026-02-28');
});

t.test('times and days are those of the property, and its zone is named where the clock here differs', async (t) => {
  t.teardown(() => (shownZone.value = undefined));
  const at = Date.parse('2026-03-01T22:30:00Z');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  t.match(shortTime(at, 'Asia/Tokyo'), /^07:30 GMT\+9/);
  t.match(shortTime(at, here), /^\d\d:\d\d$/);
  t.match(momentText('2026-03-01T22:30:00Z', 'Asia/Tokyo'), /2.* 07:30/, 'the next day there');
  shownZone.value = 'Asia/Tokyo';
  t.equal(localText(at), '2026-03-02T07:30');
  t.equal(instantOfLocal(localText(at)), at);
});

function cell(part: Partial<GridItem>): GridItem {
  return {
    roomType: 'STD',
    date: '2026-03-01',
    totalRooms: 60,
    bookedRooms: 0,
    heldRooms: 0,
    blockedRooms: 0,
    availableRooms: 60,
    rate: 119,
    currency: 'EUR',
    ...part,
  };
}
