import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { grid as words } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { dayClass } from './day-class.ts';
import type { DayInfo } from './days.ts';

/** Occupancy of the property by night, as bars: sold rooms, and held ones on top. */
export function OccupancyRow({ desk, days }: { desk: RevenueStore; days: readonly DayInfo[] }) {
  return (
    <tr class="occupancy">
      <th scope="row">
        <span class="code">{words.property}</span>
        <span class="name">{words.sold}</span>
      </th>
      {days.map((day) => (
        <Night key={day.date} desk={desk} day={day} />
      ))}
    </tr>
  );
}

function Night({ desk, day }: { desk: RevenueStore; day: DayInfo }) {
  const night = desk.night(day.date).value;
  const className = dayClass(day, day.date === desk.today.value);
  if (!night) return <td class={className} />;
  const sold = Math.min(1, night.occupancyRate / 100);
  return (
    <td class={className}>
      <span
        class="bar-box"
        style={{
          '--sold-share': String(sold),
          '--held-share': String(Math.min(1 - sold, heldShare(desk, day.date))),
        }}
      >
        <span class="percent">{Math.round(night.occupancyRate)}</span>
        <span class="held-column" />
        <span class="column" />
      </span>
    </td>
  );
}

/** Share of held rooms, shown beside the sold ones. */
function heldShare(desk: RevenueStore, date: string): number {
  let held = 0;
  let total = 0;
  for (const roomType of desk.roomTypes.value) {
    const { item } = desk.cell(cellKey({ date, roomType })).value;
    held += item?.heldRooms ?? 0;
    total += item?.totalRooms ?? 0;
  }
  return total === 0 ? 0 : held / total;
}
