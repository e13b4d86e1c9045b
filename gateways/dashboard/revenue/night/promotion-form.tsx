import { useSignal } from '@preact/signals';

import { type ChosenNights, percentIn } from '../chosen-nights.ts';
import type { RevenueStore } from '../store.ts';
import { NoteField, NoteForm } from './note-form.tsx';
import { TermsApi, type WantedPromotion } from './terms-api.ts';
import { promotionPreview, terms as words } from './terms-messages.ts';

type Props = { desk: RevenueStore; onChanged: () => Promise<void>; onClose: () => void };

type Draft = { name: string; percent: string; code: string; until: string };

/** Puts a discount in percent on sale for stays within the chosen nights. */
export function PromotionForm({ desk, onChanged, onClose }: Props) {
  const chosen = useSignal(desk.editor.chosen.peek()!).value;
  const draft = useSignal<Draft>({ name: '', percent: '', code: '', until: chosen.end });
  const wasSent = useSignal(false);
  const set = (part: Partial<Draft>): void => void (draft.value = { ...draft.peek(), ...part });
  const promotion = promotionIn(desk, draft.value, chosen);
  const isWrong = typeof promotion === 'string' && wasSent.value;
  const save = async (): Promise<void> => {
    wasSent.value = true;
    if (typeof promotion !== 'string' && (await store(desk, promotion, onChanged))) onClose();
  };
  const { name, percent, code, until } = draft.value;
  const text = typeof promotion === 'string' ? (isWrong ? promotion : '') : promotionPreview(promotion);
  return (
    <NoteForm
      desk={desk}
      label={words.add}
      words={words}
      line={{ text, isWrong }}
      onSave={() => void save()}
      onClose={onClose}
    >
      <NoteField label={words.name} value={name} maxLength={100} isFirst onText={(text) => set({ name: text })} />
      <NoteField label={words.percent} value={percent} kind="decimal" onText={(text) => set({ percent: text })} />
      <NoteField
        label={words.until}
        value={until}
        kind="date"
        min={desk.today.value}
        onText={(text) => set({ until: text })}
      />
      <NoteField label={words.code} value={code} maxLength={20} onText={(text) => set({ code: text })} />
    </NoteForm>
  );
}

/** The promotion as it would be stored, or what is wrong. */
function promotionIn(
  desk: RevenueStore,
  { name, percent, code, until }: Draft,
  { roomTypes, start, end }: ChosenNights,
): WantedPromotion | string {
  const value = percentIn(percent);
  if (name.trim() === '') return words.noName;
  if (value === undefined || value <= 0 || value > 100) return words.noPercent;
  if (until === '' || until < desk.today.value) return words.noUntil;
  return {
    promotionName: name,
    ...(code.trim() !== '' && { promoCode: code.trim() }),
    ...(roomTypes.length < desk.roomTypes.value.length && { roomTypes }),
    discount: { type: 'PERCENTAGE', value },
    validity: {
      startDate: desk.today.value,
      endDate: until,
      stayPeriod: { startDate: start, endDate: end },
    },
  };
}

/** A promotion is never deleted: taken back, it is paused. */
function store(desk: RevenueStore, promotion: WantedPromotion, onChanged: () => Promise<void>): Promise<boolean> {
  const terms = new TermsApi(desk.revenue.api!);
  return desk.changes.run('night', async () => {
    const { promotionId, promoCode } = await terms.addPromotion(promotion);
    await onChanged();
    const undo = async (): Promise<void> => {
      await terms.pausePromotion(promotionId, true);
      await onChanged();
    };
    return { text: words.created(promotion.promotionName, promoCode), undo };
  });
}
