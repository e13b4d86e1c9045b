import { z } from 'zod';

import { at, count, dayField, idField, listOf } from '../../kernel/contracts/answers.ts';
import { optionalNotes, optionalText, page, queryInt, roomNumber } from '../../kernel/contracts/fields.ts';
import { ROOM_STATUSES } from '../../properties/rules/property.ts';
import {
  HOUSEKEEPING_PRIORITIES,
  HOUSEKEEPING_TASK_STATUSES,
  HOUSEKEEPING_TASK_TYPES,
} from '../rules/housekeeping.ts';

/** Bodies, queries and answers of housekeeping tasks (docs/reference/set-up.md#housekeeping). */

const MAX_ATTENDANT = 50;

export const housekeepingQuery = z.object({
  status: z.enum(HOUSEKEEPING_TASK_STATUSES).optional().describe('Those that wait for somebody when absent.'),
  attendant: optionalText(MAX_ATTENDANT),
  roomNumber: roomNumber.optional(),
  floor: queryInt(z.int().min(-10).max(200)).optional(),
  ...page,
});
export type HousekeepingQuery = z.infer<typeof housekeepingQuery>;

export const housekeepingBody = z.strictObject({
  attendant: optionalText(MAX_ATTENDANT).nullable().describe('null: nobody; absent: as before.'),
  notes: optionalNotes(500).nullable().describe('null: none; absent: as before.'),
});
export type HousekeepingBody = z.infer<typeof housekeepingBody>;

export const inspectionBody = z.strictObject({
  passed: z.boolean().describe('false: the room is dirty, and the task has to be done once more.'),
  notes: optionalNotes(500),
});
export type InspectionBody = z.infer<typeof inspectionBody>;

export const housekeepingTaskAnswer = z.object({
  taskId: idField,
  roomNumber: z.string(),
  roomStatus: z.enum(ROOM_STATUSES).nullable().describe('Null when the room was removed.'),
  taskType: z.enum(HOUSEKEEPING_TASK_TYPES),
  status: z.enum(HOUSEKEEPING_TASK_STATUSES),
  attendant: z.string().nullable(),
  priority: z
    .literal(HOUSEKEEPING_PRIORITIES)
    .nullable()
    .describe('1: a guest arrives today, 2: tomorrow, 3: later or not at all. Null when the task is over.'),
  nextArrival: dayField.nullable().describe('Of the stay that has the room next.'),
  createdAt: at,
  startedAt: at.nullable(),
  completedAt: at.nullable(),
  inspectedAt: at.nullable(),
  minutes: count.nullable().describe('From start to done, over all attempts; null without a start.'),
  notes: z.string().nullable(),
});

export const housekeepingListAnswer = listOf(housekeepingTaskAnswer);
