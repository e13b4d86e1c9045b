import { z } from 'zod';

import { dayField } from '../../kernel/contracts/answers.ts';

export const inventoryAnswer = z.object({
  propertyId: z.string(),
  oversold: z.array(z.object({ roomType: z.string(), date: dayField, shortfall: z.int() })),
  seq: z.int(),
});

export const auditAnswer = z.object({
  violations: z.array(z.object({ roomType: z.string(), date: z.string(), what: z.string() })),
  oversold: z.array(z.object({ roomType: z.string(), date: dayField, shortfall: z.int() })),
  cellsChecked: z.int(),
  seq: z.int(),
});
