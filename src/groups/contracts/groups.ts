import { z } from 'zod';

import {
  date,
  dayToCome,
  email,
  page,
  priceField,
  propertyId,
  roomTypeCode,
  text,
} from '../../kernel/contracts/fields.ts';
import { checkGuarantee, guaranteeFields } from '../../rates/contracts/plan-terms.ts';
import { MAX_SHOULDER_NIGHTS } from '../rules/group.ts';

/** Maximum of room nights of one group. */
const MAX_BLOCKS = 1_000;

const shoulder = z.int().min(0).max(MAX_SHOULDER_NIGHTS).default(0);

/** Bodies and queries of groups (docs/reference/groups.md#groups). */
const groupFields = {
  name: text(100),
  ...guaranteeFields,
  shoulderNights: z
    .strictObject({ before: shoulder, after: shoulder })
    .optional()
    .describe(
      'Nights outside of the blocks that a booking may begin earlier or end later, at the rate of the group.',
    ),
  contact: z
    .strictObject({ firstName: text(100), lastName: text(100), email })
    .optional()
    .describe('Who speaks for the group; the e-mail address of guests who have none.'),
};

/** Days are checked by the property: those that the group already has may have passed. */
const blocksOf = <D extends z.ZodType>(day: D) =>
  z
    .array(
      z.strictObject({
        roomType: roomTypeCode,
        date: day,
        rooms: z.int().min(1).max(10_000),
        rate: priceField,
      }),
    )
    .min(1)
    .max(MAX_BLOCKS);

type Checked = z.infer<z.ZodObject<typeof guaranteeFields>> & { blocks: { roomType: string; date: unknown }[] };

function checkGroup(group: Checked, context: z.RefinementCtx): void {
  checkGuarantee(group, context);
  const seen = new Set<string>();
  group.blocks.forEach(({ roomType, date: day }, index) => {
    if (seen.size < seen.add(`${String(day)} ${roomType}`).size) return;
    const path = ['blocks', index, 'date'];
    context.addIssue({ code: 'custom', path, message: 'is named twice for the type', params: { field: 'TWICE' } });
  });
}

export const groupBody = z
  .strictObject({ propertyId, ...groupFields, cutoffDate: dayToCome, blocks: blocksOf(dayToCome) })
  .superRefine(checkGroup);
export type GroupBody = z.infer<typeof groupBody>;

/** A change names all of the group: what it leaves out is as for a new group. */
export const groupChangeBody = z
  .strictObject({ ...groupFields, cutoffDate: date, blocks: blocksOf(date) })
  .superRefine(checkGroup);
export type GroupChangeBody = z.infer<typeof groupChangeBody>;

export const groupsQuery = z.object({ propertyId: propertyId.optional(), ...page });
export type GroupsQuery = z.infer<typeof groupsQuery>;
