import type { BoardStay } from '../shapes.ts';
import { currencySign } from './section-messages.ts';

/** A mark on the bar of a stay that has to pay; the label of the bar says how much. */
export function MoneyMark({ stay: { balance, currency, status } }: { stay: BoardStay }) {
  if (balance <= 0 || status === 'CANCELLED' || status === 'NO_SHOW') return null;
  return (
    <span class="money-mark" aria-hidden="true">
      {currencySign(currency)}
    </span>
  );
}
