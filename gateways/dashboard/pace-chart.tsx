import type { KpiItem } from '../../src/contracts/live.ts';
import { daysFrom, mediumDay, shortDay } from './days.ts';
import { type Desk, NIGHTS } from './desk.ts';
import { areaOf, CHART, pathOf, ticksOf, yOf } from './pace.ts';
import { NOT_KNOWN, pace as words } from './words.ts';

/** How the nights fill up: on the books now, a week ago, and the same weekdays of last year. */
export function PaceChart({ desk }: { desk: Desk }) {
  const start = desk.start.value;
  const days = start === '' ? [] : daysFrom(start, NIGHTS).map(({ date }) => date);
  const nights = days.map((date) => desk.night(date).value);
  const now = nights.map((night) => night?.roomsSold);
  const weekAgo = days.map((date) => desk.revenue.weekAgo.value?.get(date));
  const lastYear = days.map((date) => desk.revenue.lastYear.value.get(date)?.roomsSold);
  const capacity = Math.max(0, ...nights.map((night) => night?.roomsAvailable ?? 0));
  const most = Math.max(capacity, ...lastYear.map((rooms) => rooms ?? 0), 1);
  return (
    <section class="sheet pace" aria-label={words.title}>
      <h2>
        {words.title} <small>{words.caption(NIGHTS)}</small>
      </h2>
      <div class="chart" aria-hidden="true">
        <svg viewBox={`0 0 ${CHART.width} ${CHART.height}`} preserveAspectRatio="none">
          {ticksOf(most).map((rooms) => (
            <path key={rooms} class="tick" d={`M0 ${yOf(rooms, most)}H${CHART.width}`} />
          ))}
          <path class="area" d={areaOf(now, most)} />
          <path class="capacity" d={`M0 ${yOf(capacity, most)}H${CHART.width}`} />
          <path class="last-year" d={pathOf(lastYear, most)} />
          <path class="week-ago" d={pathOf(weekAgo, most)} />
          <path class="now" d={pathOf(now, most)} />
        </svg>
        {ticksOf(most).map((rooms) => (
          <span key={rooms} class="rooms" style={{ '--at': String(rooms / most) }}>
            {rooms}
          </span>
        ))}
        {days
          .filter((_, index) => index % 14 === 0)
          .map((date, index) => (
            <span key={date} class="date" style={{ '--at': String((index * 14 + 0.5) / NIGHTS) }}>
              {shortDay(date)}
            </span>
          ))}
      </div>
      <p class="keys">
        <span data-line="now">{words.now}</span>
        <span data-line="week-ago">{words.weekAgo}</span>
        {desk.seesAmounts && <span data-line="last-year">{words.lastYear}</span>}
        <span data-line="capacity">{words.capacity}</span>
        <small>
          {desk.seesAmounts && desk.revenue.lastYear.value.size === 0 && `${words.noLastYear} `}
          {words.noForecast}
        </small>
      </p>
      <PaceTable nights={nights} days={days} lines={[now, weekAgo, lastYear]} />
    </section>
  );
}

type TableProps = {
  days: readonly string[];
  nights: readonly (KpiItem | undefined)[];
  lines: readonly (readonly (number | undefined)[])[];
};

/** The chart for those who cannot see it. */
function PaceTable({ days, nights, lines }: TableProps) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>{words.caption(NIGHTS)}</caption>
        <thead>
          <tr>
            {[words.night, words.now, words.weekAgo, words.lastYear, words.capacity].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((date, index) => (
            <tr key={date}>
              <th scope="row">{mediumDay(date)}</th>
              {lines.map((line, column) => (
                <td key={column}>{line[index] ?? NOT_KNOWN}</td>
              ))}
              <td>{nights[index]?.roomsAvailable ?? NOT_KNOWN}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
