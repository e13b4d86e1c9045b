import { useSignal } from '@preact/signals';

import { amountIn, rateProblem } from '../../amounts.ts';
import { jumpOf, type PriceJump } from '../price-jump.ts';
import type { RevenueStore } from '../store.ts';
import { NoteField, NoteForm } from './note-form.tsx';
import { type PlanView, TermsApi } from './terms-api.ts';
import { boundsText, terms as words } from './terms-messages.ts';

type Props = { desk: RevenueStore; plan: PlanView; onChanged: () => Promise<void>; onClose: () => void };

const textOf = (amount: number | null): string => (amount === null ? '' : String(amount));

/** Sets the lowest and the highest rate of a plan, on every night. */
export function BoundsForm({ desk, plan, onChanged, onClose }: Props) {
  const least = useSignal(textOf(plan.minRate));
  const most = useSignal(textOf(plan.maxRate));
  const currency = desk.currency.value;
  const bounds = boundsIn(least.value, most.value);
  const isWrong = typeof bounds === 'string';
  const save = async (): Promise<void> => {
    if (!isWrong && (await store(desk, plan, bounds, onChanged))) onClose();
  };
  return (
    <NoteForm
      desk={desk}
      label={words.editBounds}
      words={{ save: words.saveBounds, cancel: words.cancel }}
      line={{ text: isWrong ? bounds : boundsText({ ...plan, ...bounds }, currency), isWrong }}
      jump={isWrong ? undefined : jumpOfBounds(plan, bounds, currency)}
      onSave={() => void save()}
      onClose={onClose}
    >
      <NoteField
        label={words.least(currency)}
        value={least.value}
        kind="decimal"
        isFirst
        onText={(text) => (least.value = text)}
      />
      <NoteField
        label={words.most(currency)}
        value={most.value}
        kind="decimal"
        onText={(text) => (most.value = text)}
      />
    </NoteForm>
  );
}

type Bounds = Pick<PlanView, 'minRate' | 'maxRate'>;

function boundsIn(least: string, most: string): Bounds | string {
  const [minRate, maxRate] = [least, most].map((text) => (text.trim() === '' ? null : amountIn(text)));
  if (minRate === undefined || minRate === 0) return rateProblem(least);
  if (maxRate === undefined || maxRate === 0) return rateProblem(most);
  if (minRate !== null && maxRate !== null && maxRate < minRate) return words.reversedBounds;
  return { minRate, maxRate };
}

/** A bound against the one that stands; the first one against the base rate, on the side where it moves prices. */
function jumpOfBounds(plan: PlanView, { minRate, maxRate }: Bounds, currency: string): PriceJump | undefined {
  const moves = [
    { from: plan.minRate, to: minRate },
    { from: plan.maxRate, to: maxRate },
  ];
  const { baseRate } = plan;
  const first = [
    { from: baseRate, to: plan.minRate === null && minRate !== null ? Math.max(minRate, baseRate ?? 0) : null },
    { from: baseRate, to: plan.maxRate === null && maxRate !== null ? Math.min(maxRate, baseRate ?? 0) : null },
  ];
  return jumpOf(moves, currency, words.boundOfNow) ?? jumpOf(first, currency, words.baseOfNow);
}

function store(
  desk: RevenueStore,
  plan: PlanView,
  { minRate, maxRate }: Bounds,
  onChanged: () => Promise<void>,
): Promise<boolean> {
  const terms = new TermsApi(desk.revenue.api!);
  const set = async (least: number | null, most: number | null): Promise<void> => {
    await terms.setBounds(plan, least, most);
    await onChanged();
  };
  return desk.changes.run('night', async () => {
    await set(minRate, maxRate);
    const text = boundsText({ ...plan, minRate, maxRate }, desk.currency.peek());
    return { text: words.boundsSaved(`${text}.`), undo: () => set(plan.minRate, plan.maxRate) };
  });
}
