import { z } from 'zod';

import { dayToCome, page, priceField, propertyId, roomTypeCode, text } from '../../kernel/contracts/fields.ts';
import { checkGuarantee, guaranteeFields } from '../../rates/contracts/plan-terms.ts';

/** Maximum of room nights of one group. */
const MAX_BLOCKS = 1_000;

/** Bodies and queries of groups (docs/reference/reservations.md#groups). */
export const groupBody = z
  .strictObject({
    propertyId,
    name: text(100),
    cutoffDate: dayToCome,
    ...guaranteeFields,
    blocks: z
      .array(
        z.strictObject({
          roomType: roomTypeCode,
          date: dayToCome,
          rooms: z.int().min(1).max(10_000),
          rate: priceField,
        }),
      )
      .min(1)
      .max(MAX_BLOCKS),
  })
  .superRefine((group, context) => {
    const { blocks } = group;
    checkGuarantee(group, context);
    const seen = new Set<string>();
    blocks.forEach(({ roomType, date: day }, index) => {
      if (seen.size < seen.add(`${day} ${roomType}`).size) return;
      const path = ['blocks', index, 'date'];
      context.addIssue({ code: 'custom', path, message: 'is named twice for the type', params: { field: 'TWICE' } });
    });
  });
export type GroupBody = z.infer<typeof groupBody>;

export const groupsQuery = z.object({ propertyId: propertyId.optional(), ...page });
export type GroupsQuery = z.infer<typeof groupsQuery>;
