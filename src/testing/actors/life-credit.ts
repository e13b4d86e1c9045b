import type { Entry } from './life-prices.ts';

/** Who pays for a stay of a company: its account the nights, the guest everything else. */
type Payer = 'account' | 'guest';

/** Money of a stay before a refund. */
export type BeforeRefund = {
  /** What is overpaid does not count before its end. */
  isOpen: boolean;
  total: number;
  paid: number;
  /** What the account is to pay, and has paid. */
  ofAccount: number;
  byAccount: number;
  /** What was given back of each entry of the book. */
  back: readonly number[];
};

/** The part of a credit that lowers what the account is to pay: what it gets back, first beyond what it overpaid. */
export function creditOfAccount(credit: number, book: readonly Entry[], before: BeforeRefund): number {
  const { isOpen, total, paid, ofAccount, byAccount } = before;
  const overpaid = isOpen
    ? { account: 0, guest: 0 }
    : { account: byAccount - ofAccount, guest: paid - byAccount - (total - ofAccount) };
  const back = new Map<Payer, number>();
  for (const [index, entry] of [...book.entries()].toReversed()) {
    const part = entry.back - before.back[index]!;
    const payer = entry.account ? 'account' : 'guest';
    if (part > 0) back.set(payer, (back.get(payer) ?? 0) + part);
  }
  let left = credit;
  const take = (most: number): number => {
    const taken = Math.min(left, Math.max(0, most));
    left -= taken;
    return taken;
  };
  const first = [...back].map(([payer, part]) => ({
    payer,
    part,
    taken: take(part - Math.max(0, overpaid[payer])),
  }));
  const all = first.map(({ payer, part, taken }) => ({ payer, taken: taken + take(part - taken) }));
  return all.find(({ payer }) => payer === 'account')?.taken ?? 0;
}
