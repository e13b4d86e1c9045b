import { z } from 'zod';

import { optionalText, date, priceField, signedAmount, text } from '../../kernel/contracts/fields.ts';
import { holdsCardNumber } from '../rules/card-number.ts';
import { FOLIO_WINDOWS } from '../rules/folio-window.ts';
import { PAYMENT_METHODS } from '../rules/payment.ts';
import { currencyField } from './exchange-rates.ts';

const isNoCardNumber = (token = ''): boolean =>
  !/^[\d -]*$/.test(token) || !/^\d{13,19}$/.test(token.replaceAll(/[ -]/g, ''));
const RAW_CARD_NUMBER = {
  message: 'is a card number; send a token of your payment provider',
  params: { code: 'RAW_CARD_NUMBER' },
};

export const cardToken = text(255).refine(isNoCardNumber, RAW_CARD_NUMBER);

/** Optional card token; forms send an empty one for an unfilled field. */
export const optionalCardToken = optionalText(255).refine(isNoCardNumber, RAW_CARD_NUMBER);

/** Slip of a card terminal, with the last digits of the card at most. */
export const terminalSlip = z.strictObject({
  reference: text(100)
    .refine((reference) => !holdsCardNumber(reference), {
      message: 'has a card number in it; type the number of the slip',
      params: { code: 'RAW_CARD_NUMBER' },
    })
    .describe('Number of the slip; taken once in a property.'),
  cardLast4: z
    .string()
    .regex(/^\d{4}$/, 'has 4 digits')
    .optional()
    .describe('Last digits of the card, as the slip says them.'),
});

/** A payment for a reservation: the whole amount due, or `amount` of it. */
export const paymentBody = z
  .strictObject({
    method: z.enum(PAYMENT_METHODS),
    cardToken: optionalCardToken,
    terminal: terminalSlip.optional().describe('Slip of the card terminal; required with TERMINAL.'),
    amount: priceField.optional().describe('Defaults to the amount due; required in another currency.'),
    currency: currencyField
      .optional()
      .describe('Of the amount; CASH and BANK_TRANSFER are taken in others, at the exchange rate of the property.'),
    window: z.enum(FOLIO_WINDOWS).optional().describe('Window that pays; defaults to the guest.'),
  })
  .superRefine(({ method, cardToken: token, terminal }, context) => {
    const isCard = method === 'CREDIT_CARD' || method === 'DEBIT_CARD';
    const isTerminal = method === 'TERMINAL';
    const expect = (field: string, isNeeded: boolean, isThere: boolean, what: string): void => {
      if (isNeeded === isThere) return;
      const [message, code] = isNeeded ? [`is required with ${what}`, 'MISSING'] : [`belongs to ${what}`, 'EXCLUDED'];
      context.addIssue({ code: 'custom', path: [field], message, params: { field: code } });
    };
    expect('cardToken', isCard, token !== undefined, 'a card');
    expect('terminal', isTerminal, terminal !== undefined, 'a card terminal');
  });
export type PaymentBody = z.infer<typeof paymentBody>;

/** A charge beside the nights, gross, negative for a credit; a code of the price list gives what is left out. */
export const finalCharge = z
  .strictObject({
    description: optionalText(200),
    amount: signedAmount.optional(),
    date: date.optional(),
    code: optionalText(50),
  })
  .superRefine(({ code, ...charge }, context) => {
    for (const field of ['description', 'amount'] as const)
      if (code === undefined && charge[field] === undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'is required without a code of the price list',
          params: { field: 'MISSING' },
        });
  });
export type FinalCharge = z.infer<typeof finalCharge>;

/** Waives the rest of a penalty, or `amount` of it; the timeline stores the reason. */
export const waiveBody = z.strictObject({ amount: priceField.optional(), reason: text(500) });
export type WaiveBody = z.infer<typeof waiveBody>;

/** What the card issuer has taken back of a payment: all that is left of it, or the part that is said. */
export const chargebackBody = z.strictObject({
  amount: priceField.optional(),
  reason: text(500),
  reference: optionalText(100).describe('What the issuer or the provider knows it by; taken once.'),
});
export type ChargebackBody = z.infer<typeof chargebackBody>;

/** What the card issuer has given back of a payment that was charged back: all of it, or the part that is said. */
export const wonChargebackBody = z.strictObject({ amount: priceField.optional(), reason: text(500) });
export type WonChargebackBody = z.infer<typeof wonChargebackBody>;

/** Body that closes a chargeback. */
export const closeChargebackBody = z.strictObject({
  reason: text(500),
  writeOff: z
    .boolean()
    .default(false)
    .describe('The stay costs less by what is not paid again. Otherwise that is owed on, and only the task ends.'),
});
export type CloseChargebackBody = z.infer<typeof closeChargebackBody>;

/** Refunds any charges, or one named charge; as goodwill the price of the stay falls by the amount. */
export const refundBody = z.strictObject({
  amount: priceField,
  reason: text(500),
  paymentId: z.uuid().optional(),
  goodwill: z
    .boolean()
    .default(false)
    .describe('For an open stay: lowers its price by this amount. Otherwise the guest owes it again.'),
});
export type RefundBody = z.infer<typeof refundBody>;
