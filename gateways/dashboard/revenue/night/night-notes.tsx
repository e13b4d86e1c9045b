import { lazily } from '../../shell/lazy.tsx';
import type { RevenueStore } from '../store.ts';
import { NightEvents } from './night-events.tsx';

type Props = { desk: RevenueStore; roomType: string; date: string };

const NightTerms = lazily<Props>(async () => (await import('./night-terms.tsx')).NightTerms);

/** What belongs to a night beside its price: events, promotions, bounds. */
export function NightNotes({ desk, roomType, date }: Props) {
  return (
    <div class="night-notes">
      <NightEvents desk={desk} date={date} />
      {desk.editor.isOpen && <NightTerms desk={desk} roomType={roomType} date={date} />}
    </div>
  );
}
