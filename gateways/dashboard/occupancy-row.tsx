import type { DayInfo } from './days.ts';
import { dayClass } from './day-class.ts';
import type { Desk } from './desk.ts';
import { grid as words } from './words.ts';

/** How full the house is, night by night, as bars one can read the week from. */
export function OccupancyRow({ desk, days }: { desk: Desk; days: readonly DayInfo[] }) {
  return (
    <tr class="occupancy">
      <th scope="row">
        <span class="code">{words.house}</span>
        <span class="name">{words.sold}</span>
      </th>
      {days.map((day) => (
        <Night key={day.date} desk={desk} day={day} />
      ))}
    </tr>
  );
}

function Night({ desk, day }: { desk: Desk; day: DayInfo }) {
  const night = desk.night(day.date).value;
  const className = dayClass(day, day.date === desk.today.value);
  if (!night) return <td class={className} />;
  return (
    <td class={className}>
      <span class="bar-box" style={{ '--sold-share': String(Math.min(1, night.occupancyRate / 100)) }}>
        <span class="percent">{Math.round(night.occupancyRate)}</span>
        <span class="column" />
      </span>
    </td>
  );
}
