import { z } from 'zod';

import { at, dayField, idField, listOf, oversoldNight } from '../../kernel/contracts/answers.ts';
import { date, notes, page, roomNumber } from '../../kernel/contracts/fields.ts';
import { MAINTENANCE_KINDS } from '../rules/maintenance.ts';

/** Bodies, queries and answers of maintenances (docs/reference/set-up.md#maintenances). */
export const maintenanceBody = z
  .strictObject({
    roomNumber,
    from: date.describe('First night.'),
    to: date.optional().describe('Last night; absent while nobody knows the end.'),
    kind: z.enum(MAINTENANCE_KINDS),
    reason: notes(500),
  })
  .superRefine(({ from, to }, context) => {
    if (to === undefined || to >= from) return;
    context.addIssue({ code: 'custom', path: ['to'], message: 'is before from', params: { field: 'REVERSED' } });
  });
export type MaintenanceBody = z.infer<typeof maintenanceBody>;

export const maintenancesQuery = z.object({
  roomNumber: roomNumber.optional(),
  kind: z.enum(MAINTENANCE_KINDS).optional(),
  ...page,
});
export type MaintenancesQuery = z.infer<typeof maintenancesQuery>;

const maintenanceFields = {
  maintenanceId: idField,
  roomNumber: z.string(),
  from: dayField.describe('First night.'),
  to: dayField.nullable().describe('Last night; null while nobody knows the end.'),
  kind: z.enum(MAINTENANCE_KINDS),
  reason: z.string(),
  createdAt: at,
  updatedAt: at,
};

export const maintenanceAnswer = z.object(maintenanceFields);
export const maintenanceListAnswer = listOf(maintenanceAnswer);

export const maintenanceStoredAnswer = z.object({
  ...maintenanceFields,
  oversold: z.array(oversoldNight).describe('Nights on which the type now has fewer rooms than are sold.'),
});
