import { z } from 'zod';

import { count, dayField, figure, idField, moneyField } from '../../kernel/contracts/answers.ts';
import { optionalText, priceField, text, uuid, withoutDuplicates } from '../../kernel/contracts/fields.ts';
import { CHARGE_KINDS, FOLIO_WINDOWS } from '../rules/folio-window.ts';
import { POSTING_KINDS } from '../rules/postings.ts';
import { tenderedField } from './exchange-rates.ts';

const window = z.enum(FOLIO_WINDOWS);

/** Largest quantity of one posting. */
const MAX_AT_ONCE = 99;

/** A posting for the folio: an extra of the price list by its code, or a text with its gross price. */
export const postingBody = z
  .strictObject({
    extraCode: optionalText(50),
    description: optionalText(200),
    unitAmount: priceField.optional(),
    quantity: z.int().min(1).max(MAX_AT_ONCE).default(1),
    window: window.optional(),
  })
  .superRefine(({ extraCode, ...typed }, context) => {
    for (const field of ['description', 'unitAmount'] as const) {
      if ((typed[field] === undefined) === (extraCode !== undefined)) continue;
      const [message, code] =
        extraCode === undefined
          ? ['is required without an extra', 'MISSING']
          : ['comes from the price list', 'EXCLUDED'];
      context.addIssue({ code: 'custom', path: [field], message, params: { field: code } });
    }
  });
export type PostingBody = z.infer<typeof postingBody>;

export const voidBody = z.strictObject({ reason: text(500) });
export type VoidBody = z.infer<typeof voidBody>;

const routingRule = z
  .strictObject({
    kind: z.enum(CHARGE_KINDS),
    window,
    percent: z
      .int()
      .min(1)
      .max(99)
      .optional()
      .describe('Of window SHARER: the part of each posting that the sharer pays; all of it when absent.'),
  })
  .superRefine(({ window: to, percent }, context) => {
    if (percent === undefined || to === 'SHARER') return;
    const message = 'only postings of the window SHARER are divided';
    context.addIssue({ code: 'custom', path: ['percent'], message, params: { field: 'EXCLUDED' } });
  });

/** Which window pays for which kind; kinds without a rule follow the guarantee of the booking. */
export const routingBody = z.strictObject({
  rules: z.array(routingRule).max(CHARGE_KINDS.length).superRefine(withoutDuplicates('kind', 'is routed twice')),
  companyId: uuid
    .optional()
    .describe('The company that is invoiced from now on; the one of the stay when it is absent.'),
});
export type RoutingBody = z.infer<typeof routingBody>;

export const postingAnswer = z.object({
  postingId: z.string(),
  businessDate: dayField,
  kind: z.enum(POSTING_KINDS),
  description: z.string(),
  quantity: count,
  unitAmount: moneyField,
  amount: moneyField.describe('Gross, with its taxes; below 0 for credits. Payments and refunds are above 0.'),
  taxes: z.array(z.object({ code: z.string(), amount: moneyField })).describe('Taxes that are in the amount.'),
  window,
  extraCode: z.string().optional().describe('Code of the price list, or of a line that every bill may have.'),
  postedBy: z.string().optional(),
  voidedBy: z.string().optional().describe('The posting that took this one back.'),
  voids: z.string().optional().describe('The posting that this one takes back.'),
  reason: z.string().optional(),
  perNight: z
    .object({ quantity: count, from: dayField.describe('First night.'), to: dayField.describe('Last night.') })
    .optional()
    .describe('Of an extra with a stock: its pieces and nights; `quantity` is one times the other.'),
  tendered: tenderedField.optional(),
});

export const folioWindow = z.object({
  window,
  postings: z.array(postingAnswer),
  total: moneyField.describe('Sum of the posted lines.'),
  paid: moneyField,
  balance: moneyField.describe('`total - paid`.'),
  expectedTotal: moneyField.describe('Total of the whole stay, nights to come included.'),
});

export const folioAnswer = z.object({
  reservationId: idField,
  currency: z.string(),
  windows: z.array(folioWindow),
  routing: z.array(z.object({ kind: z.enum(CHARGE_KINDS), window, percent: figure.optional() })),
});

export const routingAnswer = folioAnswer.pick({ reservationId: true, routing: true, windows: true }).extend({
  companyId: z.string().nullable().describe('The company that pays the window COMPANY.'),
});
