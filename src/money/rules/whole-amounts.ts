/** What is wrong with an amount that has cents where its currency has none (docs/reference/api.md#money). */
export const noCents = (currency: string): { code: 'NO_CENTS'; detail: string } => ({
  code: 'NO_CENTS',
  detail: `${currency} has no cents: a whole amount is needed`,
});
