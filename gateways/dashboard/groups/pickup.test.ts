import t from 'tap';

import type { GroupView } from './api.ts';
import { datesOf, pickupNights, releasedBody, returnedBy } from './pickup.ts';

const TODAY = '2026-12-02';

function group(blocks: [date: string, roomType: string, rooms: number, pickedUp: number][]): GroupView {
  return {
    groupId: 'g1',
    name: 'Choir',
    cutoffDate: '2026-12-05',
    status: 'ACTIVE',
    guarantee: 'NONE',
    depositSchedule: null,
    releaseHour: null,
    companyId: null,
    terms: null,
    shoulderNights: { before: 1, after: 0 },
    contact: null,
    blocks: blocks.map(([date, roomType, rooms, pickedUp]) => ({
      date,
      roomType,
      rooms,
      rate: 80,
      pickedUp,
      remaining: rooms - pickedUp,
    })),
    shoulderPickup: [{ roomType: 'STD', date: '2026-11-30', rate: 80, pickedUp: 2 }],
    totals: { rooms: 0, pickedUp: 0, remaining: 0, shoulder: 2 },
    createdAt: '2026-11-01T00:00:00.000Z',
  };
}

t.test('pickup is shown night by night, with nights outside of the blocks', async (t) => {
  const shown = group([
    ['2026-12-01', 'STD', 5, 3],
    ['2026-12-02', 'DLX', 2, 2],
    ['2026-12-02', 'STD', 5, 0],
  ]);
  t.match(pickupNights(shown), [
    { date: '2026-11-30', rooms: 0, shoulder: 2 },
    { date: '2026-12-01', rooms: 5, pickedUp: 3, shoulder: 0 },
    { date: '2026-12-02', rooms: 7, pickedUp: 2 },
  ]);
  t.same(datesOf(shown), { checkIn: '2026-12-01', checkOut: '2026-12-03' });
});

t.test('a release cuts blocks to their pickup, and leaves the rest of the group as it is', async (t) => {
  const shown = group([
    ['2026-12-01', 'STD', 5, 0],
    ['2026-12-02', 'STD', 5, 3],
    ['2026-12-03', 'STD', 5, 0],
  ]);
  t.equal(returnedBy(shown, TODAY), 7, 'a night that is over returns nothing');
  t.same(releasedBody(shown, TODAY), {
    name: 'Choir',
    cutoffDate: '2026-12-05',
    shoulderNights: { before: 1, after: 0 },
    guarantee: 'NONE',
    releaseHour: null,
    blocks: [
      { roomType: 'STD', date: '2026-12-01', rooms: 5, rate: 80 },
      { roomType: 'STD', date: '2026-12-02', rooms: 3, rate: 80 },
    ],
  });
  t.equal(releasedBody(group([['2026-12-03', 'STD', 5, 0]]), TODAY), undefined, 'nothing would be left');
});
