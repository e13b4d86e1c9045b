import type { ReadonlySignal } from '@preact/signals';
import type { GridItem } from '../../src/contracts/live.ts';
import type { DayInfo } from './days.ts';
import type { ShownCell } from './desk.ts';
import { dayClass } from './day-class.ts';
import { describeCell, moodOf, tenthsTaken, wholeAmount } from './words.ts';

type Props = { cell: ReadonlySignal<ShownCell>; cellKey: string; day: DayInfo; isToday: boolean };

/** One night of one room type. Only the cells that changed are drawn again. */
export function GridCell({ cell, cellKey, day, isToday }: Props) {
  const { item, changes } = cell.value;
  const className = dayClass(day, isToday);
  if (!item) return <td class={className} />;
  const mood = moodOf(item);
  return (
    // Two names for one animation: it begins again when the next change comes while it still runs.
    <td class={className} data-mood={mood} data-taken={tenthsTaken(item)} data-changed={changedName(changes)}>
      <button type="button" tabIndex={-1} data-key={cellKey}>
        <span class="visually-hidden">{describeCell(item)}</span>
        <span class="left" aria-hidden="true">
          {roomsLeft(item, mood)}
        </span>
        <span class="price" aria-hidden="true">
          {item.rate === null ? '–' : wholeAmount(item.rate)}
        </span>
      </button>
    </td>
  );
}

function roomsLeft({ availableRooms }: GridItem, mood: ReturnType<typeof moodOf>): string {
  if (mood === 'full') return 'Full';
  if (mood === 'closed') return 'Closed';
  return mood === 'few' ? `${availableRooms} left` : String(availableRooms);
}

function changedName(changes: number): string | undefined {
  if (changes === 0) return undefined;
  return changes % 2 === 0 ? 'even' : 'odd';
}
