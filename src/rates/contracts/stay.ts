import type { z } from 'zod';

import { datesInOrder, type StayDates } from '../../kernel/contracts/fields.ts';
import { daysUntil } from '../../kernel/rules/stay-days.ts';
import { type Party, wholeParty } from '../rules/stay.ts';

/** Completes the party of a body or query by {@link wholeParty}, and rejects ages of another number of children. */
export function withParty<T extends z.ZodType<Partial<Party>>>(schema: T): T {
  return schema
    .superRefine(({ children: number = 0, childAges: ages }, context) => {
      if (ages === undefined || number === 0 || ages.length === number) return;
      const message = `are ${ages.length}, and children is ${number}`;
      context.addIssue({ code: 'custom', path: ['childAges'], message, params: { field: 'AGES_DISAGREE' } });
    })
    .overwrite(wholeParty);
}

/** Checks and completes a stay in a body or query: {@link datesInOrder}, {@link withParty}; equal dates are day use. */
export function wholeStay<
  T extends z.ZodType<Partial<Party> & Required<Pick<StayDates, 'checkIn' | 'checkOut'>> & StayDates>,
>(schema: T): T {
  return withParty(schema)
    .superRefine(datesInOrder)
    .overwrite((stay) => ({ ...stay, ...daysUntil(stay.checkIn, stay.checkOut) }));
}
