import type { PriceJump } from './price-jump.ts';

type Props = { jump: PriceJump; isAgreed: boolean; onAgree: (isAgreed: boolean) => void };

/** Says that a price jumps, with the box for a deliberate yes. */
export function JumpCheck({ jump, isAgreed, onAgree }: Props) {
  return (
    <div class="jump" role="alert">
      <p>{jump.text}</p>
      <label>
        <input type="checkbox" checked={isAgreed} onChange={(event) => onAgree(event.currentTarget.checked)} />
        {jump.agree}
      </label>
    </div>
  );
}
