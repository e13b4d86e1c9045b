import { DomainError } from '../../kernel/rules/domain-error.ts';
import { incrementOf, type Minor } from '../../kernel/rules/money.ts';

/** Problem of an amount with fractions in a currency without them (docs/reference/api.md#money). */
export const noCents = (currency: string): { code: 'NO_CENTS'; detail: string } => ({
  code: 'NO_CENTS',
  detail: `${currency} has no cents: a whole amount is needed`,
});

/**
 * Checks that the currency has such an amount.
 * @param pointer member of the body with the amount
 * @throws DomainError VALIDATION_FAILED
 */
export function mustBeWhole(pointer: string, amount: Minor, currency: string): void {
  if (amount % incrementOf(currency) === 0) return;
  const errors = [{ pointer, ...noCents(currency) }];
  throw new DomainError('VALIDATION_FAILED', `${currency} has no cents.`, { errors });
}
