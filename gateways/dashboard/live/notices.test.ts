import t from 'tap';

import type { Patch } from '../../../src/live/contracts/live.ts';
import { NOTICE_KINDS, USUAL_NOTICES } from '../../../src/tenants/rules/preferences.ts';
import {
  forgetNotices,
  noticesSeen,
  notOfInterest,
  stayNotices,
  takeNotices,
  unseenNotices,
  wantedNotices,
} from './notices.ts';

const NOW = Date.UTC(2026, 10, 27, 12);

const said = (reservationId: string, type: string, more: { status?: string; at?: number } = {}): Patch => ({
  topic: 'feed',
  type,
  at: NOW,
  reservationId,
  confirmationNumber: `C-${reservationId}`,
  roomType: 'STD',
  checkIn: '2026-12-01',
  checkOut: '2026-12-03',
  nights: 2,
  guestName: 'Ada Lovelace',
  status: 'CONFIRMED',
  ...more,
});

const take = (...patches: Patch[]): void => takeNotices('harbor-hotel', patches, NOW);
const shown = (): string[] => stayNotices.value.map(({ kind, item }) => `${kind} ${item.reservationId}`);

t.beforeEach(() => {
  forgetNotices();
  noticesSeen();
  wantedNotices.value = USUAL_NOTICES;
});

t.test('what has happened is told once for each stay, the newest first', async (t) => {
  take(said('r1', 'CREATED'), said('r2', 'CANCELLED', { status: 'CANCELLED' }), said('r3', 'CHECKED_IN'));
  t.strictSame(shown(), ['CANCELLED r2', 'BOOKED r1']);
  t.equal(unseenNotices.value, 2);
  noticesSeen();
  t.equal(unseenNotices.value, 0);
  take(said('r1', 'NO_SHOW', { status: 'NO_SHOW' }));
  t.strictSame(shown(), ['NO_SHOW r1', 'CANCELLED r2']);
  t.equal(unseenNotices.value, 1, 'and it counts again');
});

t.test('a room that is held is no booking before it is confirmed', async (t) => {
  take(said('r1', 'CREATED', { status: 'PENDING' }), said('r1', 'HELD', { status: 'PENDING' }));
  t.strictSame(shown(), []);
  take(said('r1', 'CONFIRMED'));
  t.strictSame(shown(), ['BOOKED r1']);
});

t.test('a person is told what he has chosen', async (t) => {
  take(said('r1', 'CREATED'), said('r2', 'MODIFIED'));
  t.strictSame(shown(), ['BOOKED r1'], 'changes are not told unless they are wanted');
  wantedNotices.value = [...NOTICE_KINDS];
  t.strictSame(shown(), ['CHANGED r2', 'BOOKED r1']);
  wantedNotices.value = [];
  t.strictSame(shown(), []);
  t.equal(unseenNotices.value, 0);
});

t.test('nothing is told of what a user does himself, whichever comes first', async (t) => {
  take(said('r1', 'CREATED'), said('r2', 'CREATED', { at: NOW - 60_000 }));
  notOfInterest(['r1', 'r2'], NOW + 50);
  t.strictSame(shown(), ['BOOKED r2'], 'what happened before was of somebody else');
  take(said('r1', 'CANCELLED'));
  t.strictSame(shown(), ['BOOKED r2']);
  takeNotices('harbor-hotel', [said('r1', 'CANCELLED')], NOW + 60_000);
  t.strictSame(shown(), ['CANCELLED r1', 'BOOKED r2'], 'later it is somebody else again');
});

t.test('the list is bounded, and is gone with its user', async (t) => {
  take(...Array.from({ length: 70 }, (_, index) => said(`r${index}`, 'CREATED')));
  t.equal(shown().length, 50);
  t.equal(shown()[0], 'BOOKED r69');
  forgetNotices();
  t.strictSame(shown(), []);
});
