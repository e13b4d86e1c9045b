import type { Minor } from '../../kernel/rules/money.ts';

/** Currencies that Stripe counts in whole units; this service counts hundredths in every currency. */
const WHOLE_UNITS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** Currencies in whole units that Stripe writes with two zeros. */
const WHOLE_HUNDREDS = new Set(['ISK', 'UGX']);

/** Amount in Stripe's units. Fractions are rounded half up where the currency has none. */
export function stripeAmount(amount: Minor, currency: string): number {
  const units = Math.round(amount / 100);
  if (WHOLE_UNITS.has(currency)) return units;
  return WHOLE_HUNDREDS.has(currency) ? units * 100 : amount;
}

const UNCONFIRMED = 'the bank asks the holder of the card for a confirmation, which cannot be given here';

/**
 * Reasons shown to a guest after "The payment was declined: ". Reports of theft and suspicion are not shown to the
 * holder of the card: every other code is shown as a decline by the bank.
 */
const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficient funds',
  withdrawal_count_limit_exceeded: 'the limit of the card is reached',
  card_velocity_exceeded: 'the limit of the card is reached',
  expired_card: 'the card has expired',
  invalid_expiry_month: 'the expiry date is wrong',
  invalid_expiry_year: 'the expiry date is wrong',
  incorrect_cvc: 'the security code is wrong',
  invalid_cvc: 'the security code is wrong',
  incorrect_number: 'the card number is wrong',
  invalid_number: 'the card number is wrong',
  incorrect_zip: 'the postal code does not match the card',
  card_not_supported: 'the card does not support this kind of purchase',
  currency_not_supported: 'the card does not support this currency',
  authentication_required: UNCONFIRMED,
  requires_action_not_handled: UNCONFIRMED,
  processing_error: 'the bank could not process it; another try may succeed',
  amount_too_small: 'the amount is below what the payment provider takes',
  amount_too_large: 'the amount is above what the payment provider takes',
  token_already_used: 'the card token was used before',
};

/** Reason for the bank's decline in this service's words: the provider's text may repeat the card's token. */
export function bankReason({ code, decline_code: declined }: { code?: string; decline_code?: string }): string {
  return REASONS[declined ?? ''] ?? REASONS[code ?? ''] ?? 'the bank refused the card';
}

/** Reason for which the provider did not contact the bank. */
export function providerReason({ code, param }: { code?: string; param?: string }): string {
  const named = REASONS[code ?? ''];
  if (named !== undefined) return named;
  return param?.startsWith('payment_method') || param?.startsWith('card')
    ? 'the payment provider does not know the card token'
    : 'the payment provider does not take this payment';
}
