import fc from 'fast-check';
import { deepStrictEqual as same } from 'node:assert';
import t from 'tap';

import { doubled, packedProperty, room, smallProperty, stay, TODAY } from '../../testing/room-properties.ts';
import { type StayPlacement, placeStays } from './place-stays.ts';
import { type PlanStay, RoomPlan } from './room-plan.ts';
import { byRight, roomsByType } from './rooms-of-type.ts';

/** Places stays that are due by tomorrow, with a limit on the effort. */
function place(plan: RoomPlan, roomType: string, maxLooks?: number): StayPlacement {
  const type = roomsByType(plan, TODAY).get(roomType)!;
  const isDue = ({ from }: { from: number }): boolean => from <= TODAY + 1;
  const due = [...type.displaced, ...type.waiting.filter(isDue)].sort(byRight);
  for (const one of due) one.due = true;
  const later = type.waiting.filter((one) => !isDue(one));
  return placeStays(type, { due, later, guests: [] }, () => 0, TODAY, maxLooks);
}

const ids = (stays: Iterable<{ stay: PlanStay }>): string[] => [...stays].map(({ stay }) => stay.reservationId);

void t.test(
  'without effort for a rearrangement no stay moves, and a stay that finds a room at once has it',
  async () => {
    fc.assert(
      fc.property(fc.oneof(smallProperty, packedProperty), fc.nat({ max: 60 }), ({ rooms, stays }, maxLooks) => {
        const plan = RoomPlan.of(rooms, stays);
        for (const roomType of roomsByType(plan, TODAY).keys()) {
          const { roomOf, unplaced: without } = place(plan, roomType, maxLooks);
          const given = new Map([...roomOf].map(([{ stay }, { roomNumber }]) => [stay.reservationId, roomNumber]));
          for (const id of ids(without)) same(given.has(id), false);
          const next = stays.map((one) => ({
            ...one,
            roomNumber: ids(without).includes(one.reservationId)
              ? undefined
              : (given.get(one.reservationId) ?? one.roomNumber),
          }));
          const inOrder = new Set(
            rooms.filter(({ status }) => status !== 'OUT_OF_ORDER').map((one) => one.roomNumber),
          );
          const retained = next.filter((one) => one.roomNumber !== undefined && inOrder.has(one.roomNumber));
          same(doubled(retained), []);
        }
      }),
      { numRuns: 3_000 },
    );
  },
);

void t.test('a stay that is left out makes room for those after it', async (t) => {
  const by = (id: string, roomNumber: string, from: number): PlanStay =>
    stay(id, from, 1, { roomNumber, fixed: true });
  const plan = RoomPlan.of(
    [room('101'), room('102')],
    [
      by('x', '101', 2),
      by('y', '102', 4),
      // Each of its nights has a free room, but no room is free on all of them.
      stay('long', 1, 4, { tier: 'GOLD' }),
      stay('short', 1, 3),
      stay('other', 1, 1),
      stay('later', 3, 4),
    ],
  );
  const { roomOf, unplaced: without, free: left } = place(plan, 'STD');
  const given = [...roomOf].map(([{ stay }, { roomNumber }]) => [stay.reservationId, roomNumber]);
  t.same(Object.fromEntries(given), { short: '102', other: '101' });
  t.same(ids(without), ['long']);
  t.equal(left.firstFull({ from: TODAY + 5, to: TODAY + 9 }), undefined);
  t.equal(left.firstFull({ from: TODAY, to: TODAY + 9 }), TODAY + 1);
});

void t.test('a stay to come that fits nowhere is left out, the nearer before the further', async (t) => {
  const rooms = [room('101')];
  const stays = [stay('far', 4, 2), stay('near', 3, 2), stay('now', 1, 2)];
  t.same(ids(place(RoomPlan.of(rooms, stays), 'STD').unplaced), ['far']);
  t.same(ids(place(RoomPlan.of([], stays), 'STD').unplaced), ['now', 'near', 'far']);
});
