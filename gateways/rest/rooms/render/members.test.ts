import t from 'tap';

import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { housekeepingReportAnswer } from '../../../../src/rooms/contracts/housekeeping-report.ts';
import { housekeepingTaskAnswer } from '../../../../src/rooms/contracts/housekeeping.ts';
import { assignedAllAnswer } from '../../../../src/rooms/contracts/room-assignments.ts';
import type { HousekeepingTask } from '../../../../src/rooms/rules/housekeeping.ts';
import { dayNo, momentNo, wired } from '../../../../src/testing/members.ts';
import { id, plainRoom } from '../../../../src/testing/property-world.ts';
import { renderHousekeepingReport, renderTask } from './housekeeping.ts';
import { assignedAll } from './room-assignments.ts';

void t.test('every member of a housekeeping task is read where it belongs', async (t) => {
  const task: AllMembers<HousekeepingTask> = {
    taskId: id(1),
    roomNumber: '101',
    taskType: 'STAY_OVER',
    status: 'INSPECTED',
    attendant: 'Ana',
    notes: 'a cot',
    createdAt: momentNo(1),
    startedAt: momentNo(2),
    completedAt: momentNo(3),
    completedOn: dayNo(3),
    inspectedAt: momentNo(4),
    minutes: 25,
  };
  const shown = { task, room: plainRoom('101', { status: 'CLEAN' }), nextArrival: dayNo(5), priority: 2 as const };
  t.same(wired(housekeepingTaskAnswer, renderTask(shown)), {
    taskId: id(1),
    roomNumber: '101',
    roomStatus: 'CLEAN',
    taskType: 'STAY_OVER',
    status: 'INSPECTED',
    attendant: 'Ana',
    priority: 2,
    nextArrival: formatDay(dayNo(5)),
    createdAt: new Date(momentNo(1)).toISOString(),
    startedAt: new Date(momentNo(2)).toISOString(),
    completedAt: new Date(momentNo(3)).toISOString(),
    inspectedAt: new Date(momentNo(4)).toISOString(),
    minutes: 25,
    notes: 'a cot',
  });
});

void t.test('a report of minutes per room has no attendant where nobody was named', async (t) => {
  const figures = { rooms: 3, timedRooms: 2, minutes: 45, minutesPerRoom: 22.5 };
  const report = {
    propertyId: 'anchor',
    from: dayNo(1),
    to: dayNo(2),
    businessDate: dayNo(3),
    createdAt: momentNo(3),
    totals: figures,
    byTaskType: [{ taskType: 'DEPARTURE' as const, ...figures }],
    items: [{ taskType: 'DEPARTURE' as const, ...figures }],
    seq: 7,
  };
  t.match(wired(housekeepingReportAnswer, renderHousekeepingReport(report)), {
    report: 'housekeeping',
    totals: figures,
    items: [{ attendant: null, taskType: 'DEPARTURE', ...figures }],
  });
});

void t.test(
  'rooms of all arrivals are named with the nights of their stays, and those without one with the reason',
  async (t) => {
    const stay = { reservationId: id(1), checkIn: dayNo(1), checkOut: dayNo(4), roomNumber: '204', roomType: 'DLX' };
    const moved = { ...stay, reservationId: id(2), upgraded: true, previousRoomNumber: '203' };
    const unmet = [{ kind: 'FEATURE' as const, value: 'bath', reason: 'TAKEN' as const }];
    const answer = assignedAll({
      until: dayNo(2),
      given: [{ ...stay, upgraded: false, unmetWishes: unmet }, moved],
      without: [{ reservationId: id(3), reason: 'CHANGED' }],
    });
    const nights = { checkIn: formatDay(dayNo(1)), checkOut: formatDay(dayNo(4)) };
    t.match(wired(assignedAllAnswer, answer), {
      until: formatDay(dayNo(2)),
      assigned: [
        { ...stay, ...nights, previousRoomNumber: null, unmetWishes: [{ ...unmet[0], text: /another stay/ }] },
        { ...moved, ...nights, previousRoomNumber: '203', unmetWishes: [] },
      ],
      unassigned: [{ reservationId: id(3), reason: 'CHANGED' }],
    });
  },
);
