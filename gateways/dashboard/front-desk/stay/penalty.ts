import { doneWords, lineWords as words } from './messages.ts';
import type { VerbAnswers } from './shapes.ts';

type Ended = Pick<VerbAnswers['noShow'], 'cancellationPolicy' | 'refund'>;
type AmountText = (value: number) => string;
type Penalty = { retained: number; byCard: number; owed: number };

/** Parts of a penalty: what of it is paid already, what the card on file pays, and what is owed. */
export function penaltyOf({ cancellationPolicy, refund }: Ended, { paidAmount }: { paidAmount: number }): Penalty {
  const { penaltyAmount, owedByCard = 0 } = cancellationPolicy;
  const retained = Math.max(0, Math.min(penaltyAmount, cents(paidAmount - refund.refundAmount)));
  const byCard = Math.min(owedByCard, cents(penaltyAmount - retained));
  return { retained, byCard, owed: cents(penaltyAmount - retained - byCard) };
}

export function penaltyLines(answer: Ended, paid: { paidAmount: number }, amount: AmountText): [string, string][] {
  const { retained, byCard, owed } = penaltyOf(answer, paid);
  const parts: [string, number][] = [
    [words.retained, retained],
    [words.fromCard, byCard],
    [words.owed, owed],
  ];
  const some = parts.filter(([, value]) => value > 0);
  const shown = some.length > 0 ? some : parts.slice(0, 1);
  return [...shown, [words.back, answer.refund.refundAmount] as const].map(([name, value]) => [name, amount(value)]);
}

/** What became of the penalty of a guest who did not come. */
export function noShowText(name: string, { retained, byCard, owed }: Penalty, amount: AmountText): string {
  const open = owed + byCard;
  if (open === 0) return doneWords.noShow(name, amount(retained));
  return retained === 0
    ? doneWords.noShowOwed(name, amount(open))
    : doneWords.noShowPartly(name, amount(retained), amount(open));
}

const cents = (value: number): number => Math.round(value * 100) / 100;
