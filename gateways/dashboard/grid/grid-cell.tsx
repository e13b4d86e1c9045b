import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { advice, compared, describeCell, moodOf } from '../messages.ts';
import { limitMarks, limitWords } from '../revenue/editor-messages.ts';
import { eventWords } from '../revenue/night/event-messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { faceOf, percentFrom } from './cell-face.ts';
import { dayClass } from './day-class.ts';
import type { DayInfo } from './days.ts';

type Props = { desk: RevenueStore; roomType: string; day: DayInfo; isToday: boolean };

/** One night of one room type. Only changed cells are rendered again. */
export function GridCellView({ desk, roomType, day, isToday }: Props) {
  const key = cellKey({ date: day.date, roomType });
  const { item, changes } = desk.cell(key).value;
  const mode = desk.mode.value;
  const className = dayClass(day, isToday);
  if (!item) return <td class={className} />;
  const recommended = mode === 'recommended' ? desk.revenue.recommended.value.get(key) : undefined;
  const market = mode === 'market' ? desk.market(key).value : undefined;
  const { main, sub, tint, step } = faceOf(mode, item, { recommended, market });
  const against = mode === 'recommended' ? recommended : market?.median;
  const percent = against === undefined || item.rate === null ? undefined : percentFrom(item.rate, against);
  const isLocked = desk.revenue.locked.value.has(key);
  const limits = desk.revenue.limits.value.get(key);
  const events = desk.revenue.calendar.byDate.value.get(day.date);
  const isAdvised = desk.revenue.recommended.value.has(key) && desk.revenue.recommended.value.get(key) !== item.rate;
  const marks = limitMarks(limits);
  const also = mode === 'recommended' || mode === 'market' ? compared(mode, percent) : '';
  return (
    // Two names for one animation, so that it restarts when the next change comes while it runs.
    <td
      class={className}
      data-mood={moodOf(item)}
      data-tint={tint}
      data-step={step}
      data-held={(mode === 'occupancy' && item.heldRooms > 0) || undefined}
      data-locked={isLocked || undefined}
      data-event={events && ''}
      data-advised={isAdvised || undefined}
      data-changed={changedName(changes)}
      data-chosen={desk.editor.keys.value.has(key) || undefined}
      aria-selected={desk.selected.value === key || desk.editor.keys.value.has(key)}
    >
      <button type="button" tabIndex={-1} data-key={key}>
        <span class="visually-hidden">
          {describeCell(item) +
            also +
            limitWords(limits) +
            eventWords(events) +
            (isAdvised && mode !== 'recommended' ? `, ${advice.pending}` : '') +
            (isLocked ? `, ${advice.locked}` : '')}
        </span>
        {marks !== '' && (
          <span class="limits" aria-hidden="true">
            {marks}
          </span>
        )}
        <span class="main" aria-hidden="true">
          {main}
        </span>
        <span class="sub" aria-hidden="true">
          {sub}
        </span>
      </button>
    </td>
  );
}

function changedName(changes: number): string | undefined {
  if (changes === 0) return undefined;
  return changes % 2 === 0 ? 'even' : 'odd';
}
