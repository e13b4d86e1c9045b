import { z } from 'zod';

import { count, figure, oversoldNight } from '../../kernel/contracts/answers.ts';

export const inventoryAnswer = z.object({
  propertyId: z.string(),
  oversold: z.array(oversoldNight),
  seq: count,
});

export const auditAnswer = z.object({
  violations: z.array(
    z.object({
      roomType: z.string(),
      date: z.string(),
      what: z.string(),
      memory: figure.optional(),
      stored: figure.optional(),
      recomputed: figure.optional(),
    }),
  ),
  oversold: z.array(oversoldNight),
  cellsChecked: count,
  seq: count,
  money: z.object({
    reservationsChecked: count,
    invoicesChecked: count,
    violationCount: count,
    violations: z.array(z.object({ reservationId: z.string().optional(), what: z.string() })),
  }),
});
