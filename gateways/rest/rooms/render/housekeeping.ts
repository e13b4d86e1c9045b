import type { housekeepingReportAnswer } from '../../../../src/rooms/contracts/housekeeping-report.ts';
import type { housekeepingTaskAnswer } from '../../../../src/rooms/contracts/housekeeping.ts';
import type { ShownTask } from '../../../../src/rooms/operations/housekeeping.ts';
import type { HousekeepingReport } from '../../../../src/rooms/operations/read-housekeeping-report.ts';
import type { AnswerOf } from '../../../http/answers.ts';

export function renderTask({
  task,
  room,
  nextArrival,
  priority,
}: ShownTask): AnswerOf<typeof housekeepingTaskAnswer> {
  const { taskId, roomNumber, taskType, status, attendant, createdAt, startedAt, completedAt } = task;
  return {
    taskId,
    roomNumber,
    roomStatus: room?.status ?? null,
    taskType,
    status,
    attendant: attendant ?? null,
    priority: priority ?? null,
    nextArrival: nextArrival ?? null,
    createdAt,
    startedAt: startedAt ?? null,
    completedAt: completedAt ?? null,
    inspectedAt: task.inspectedAt ?? null,
    minutes: task.minutes ?? null,
    notes: task.notes ?? null,
  };
}

export function renderHousekeepingReport({
  seq: _seq,
  items,
  ...report
}: HousekeepingReport): AnswerOf<typeof housekeepingReportAnswer> {
  const lines = items.map(({ attendant = null, ...line }) => ({ attendant, ...line }));
  return { report: 'housekeeping', ...report, items: lines };
}
