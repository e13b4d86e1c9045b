import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { amountIn, rateProblem } from '../../amounts.ts';
import { type Cell, percentIn } from '../chosen-nights.ts';
import { editor, faultText } from '../editor-messages.ts';
import { jumpOf } from '../price-jump.ts';
import type { RevenueStore } from '../store.ts';
import { breakdown as words, priceMoveText } from './breakdown-messages.ts';
import { NoteField, NoteForm } from './note-form.tsx';
import { type BaseChange, type BaseNightView, TermsApi } from './terms-api.ts';

/** Lines of a breakdown that are set by the night. */
export type EditedLine = 'base' | 'season';

/** Somebody is still typing. */
const TYPING_MS = 300;

type Props = { desk: RevenueStore; cell: Cell; line: EditedLine; onClose: () => void };

type Line = { text: string; isWrong: boolean };
const wrong = (text: string): Line => ({ text, isWrong: true });

/** Changes the base rate or the season of one night, where the breakdown shows it. */
export function BreakdownEdit({ desk, cell, line, onClose }: Props) {
  const before = useSignal<BaseNightView | undefined>(undefined);
  const text = useSignal('');
  const says = useSignal<Line>({ text: '', isWrong: false });
  const currency = desk.currency.value;
  const { api } = desk.revenue;
  useEffect(() => {
    const take = (night: BaseNightView | undefined): void => {
      if (!night || night.baseRate === null) says.value = wrong(words.noBase);
      else {
        before.value = night;
        // What was typed before the answer came stays.
        if (text.peek() === '') text.value = String(line === 'base' ? night.baseRate : percentOf(night));
      }
    };
    new TermsApi(api!).baseNight(cell).then(take, () => (says.value = wrong(words.failed)));
  }, []);
  const wanted = changeIn(line, text.value);
  useEffect(() => {
    if (!before.value) return undefined;
    if (typeof wanted === 'string') return void (says.value = wrong(wanted));
    let stopped = false;
    const due = setTimeout(() => {
      void previewed(new TermsApi(api!), cell, wanted, currency).then((found) => {
        if (!stopped) says.value = found;
        return found;
      });
    }, TYPING_MS);
    return () => {
      stopped = true;
      clearTimeout(due);
    };
  }, [text.value, before.value]);
  const save = async (): Promise<void> => {
    if (typeof wanted !== 'string' && before.value && (await store(desk, cell, wanted, before.value))) onClose();
  };
  return (
    <NoteForm
      desk={desk}
      label={words.editOne[line]}
      words={words}
      line={says.value}
      isReady={before.value !== undefined}
      jump={
        before.value && typeof wanted !== 'string'
          ? jumpOf([moveOf(before.value, wanted)], currency, words.now)
          : undefined
      }
      onSave={() => void save()}
      onClose={onClose}
    >
      <NoteField
        label={line === 'base' ? words.base(currency) : words.season}
        value={text.value}
        kind="decimal"
        isFirst
        onText={(typed) => (text.value = typed)}
      />
    </NoteForm>
  );
}

/** What a change would do to the price of the night, or why it cannot be made. */
async function previewed(terms: TermsApi, cell: Cell, change: BaseChange, currency: string): Promise<Line> {
  try {
    const { items } = await terms.tryBase(cell, change);
    const { from = null, to = null } = items[0] ?? {};
    return { text: priceMoveText(from, to, currency), isWrong: false };
  } catch (error) {
    return wrong(faultText(error, editor.failed));
  }
}

const percentOf = ({ season }: BaseNightView): number => (season ? Math.round((season.multiplier - 1) * 100) : 0);

/** What a change sets, against what stands: known before the service has said what the price would be. */
function moveOf({ baseRate, season }: BaseNightView, change: BaseChange): { from: number; to: number } {
  const rate = baseRate ?? 0;
  if ('rate' in change) return { from: rate, to: change.rate };
  const { multiplier = 1, amount = 0 } = season ?? {};
  return { from: rate * multiplier + amount, to: rate * (1 + change.adjustment / 100) };
}

function changeIn(line: EditedLine, text: string): BaseChange | string {
  if (line === 'base') {
    const rate = amountIn(text);
    return rate === undefined || rate === 0 ? rateProblem(text) : { rate };
  }
  const percent = percentIn(text);
  const isWhole = percent !== undefined && Number.isInteger(percent) && percent >= -99;
  return isWhole ? { adjustmentType: 'PERCENTAGE', adjustment: percent } : words.noPercent;
}

function store(desk: RevenueStore, cell: Cell, change: BaseChange, before: BaseNightView): Promise<boolean> {
  const { api } = desk.revenue;
  const terms = new TermsApi(api!);
  return desk.changes.run('night', async () => {
    const { items } = await terms.tryBase(cell, change);
    const { from = null, to = null } = items[0] ?? {};
    await terms.setBase(cell, change);
    const undo = async (): Promise<void> => {
      if ('rate' in change) return terms.setBase(cell, { rate: before.baseRate! });
      const { multiplier = 1, amount = 0 } = before.season ?? {};
      const isAmount = amount !== 0 && multiplier === 1;
      await terms.setBase(
        cell,
        isAmount
          ? { adjustmentType: 'AMOUNT', adjustment: amount }
          : { adjustmentType: 'MULTIPLIER', adjustment: multiplier },
      );
      // A season of both is set in two steps: the price tells the second.
      if (amount !== 0 && !isAmount && from !== null) await api!.setRates([{ ...cell, rate: from }]);
    };
    return { text: `${editor.done} ${priceMoveText(from, to, desk.currency.peek())}.`, undo };
  });
}
