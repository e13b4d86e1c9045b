import { DomainError } from '../../kernel/rules/domain-error.ts';
import { incrementOf, type Minor } from '../../kernel/rules/money.ts';

/** What is wrong with an amount that has cents where its currency has none (docs/reference/api.md#money). */
export const noCents = (currency: string): { code: 'NO_CENTS'; detail: string } => ({
  code: 'NO_CENTS',
  detail: `${currency} has no cents: a whole amount is needed`,
});

/**
 * Refuses an amount that its currency does not have.
 * @param pointer the member of the body that has it
 * @throws DomainError VALIDATION_FAILED
 */
export function mustBeWhole(pointer: string, amount: Minor, currency: string): void {
  if (amount % incrementOf(currency) === 0) return;
  const errors = [{ pointer, ...noCents(currency) }];
  throw new DomainError('VALIDATION_FAILED', `${currency} has no cents.`, { errors });
}
