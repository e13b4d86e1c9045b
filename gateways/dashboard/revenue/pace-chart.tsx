import { useSignal } from '@preact/signals';

import { Aged } from '../grid/aged.tsx';
import { mediumDay } from '../grid/days.ts';
import { NOT_KNOWN, pace as words } from '../messages.ts';
import { PacePlot } from './pace-plot.tsx';
import { PACE_LINES, type PaceLine, type PaceLines } from './pace.ts';
import { type RevenueStore, NIGHTS } from './store.ts';

/** Reloaded every minute: two missing answers are too old. */
const BUDGET_MS = 150_000;

/** Booking pace: now, a week ago, last year's same weekdays, and the forecast. */
export function PaceChart({ desk }: { desk: RevenueStore }) {
  const shown = useSignal(false);
  const night = useSignal<number | undefined>(undefined);
  return (
    <Aged desk={desk} class="sheet pace" label={words.title} at={desk.revenue.paceAt.value} budgetMs={BUDGET_MS}>
      <h2>
        {words.title} <small>{words.caption(NIGHTS)}</small>
        <button type="button" aria-expanded={shown.value} onClick={() => (shown.value = !shown.value)}>
          {words.numbers}
        </button>
      </h2>
      <PacePlot
        lines={() => linesOf(desk)}
        days={() => desk.days.value.map(({ date }) => date)}
        onNight={(index) => (night.value = index)}
      />
      <Keys desk={desk} night={night.value} />
      <PaceTable desk={desk} shown={shown.value} />
    </Aged>
  );
}

/** Legend of the lines, with the numbers of the night under the pointer. */
function Keys({ desk, night }: { desk: RevenueStore; night: number | undefined }) {
  const date = night === undefined ? undefined : desk.days.value[night]?.date;
  const read = date === undefined ? undefined : nightOf(desk, date);
  return (
    <p class="keys">
      {PACE_LINES.map((line) => (
        <span key={line} data-line={line} hidden={!desk.seesAmounts && isOfManagers(line)}>
          <i aria-hidden="true" />
          {words[line]}
          {read && <strong> {textOf(read, line)}</strong>}
        </span>
      ))}
      <small>{date === undefined ? hintsOf(desk) : mediumDay(date)}</small>
    </p>
  );
}

/** The chart as a table, for screen readers and exact numbers. */
function PaceTable({ desk, shown }: { desk: RevenueStore; shown: boolean }) {
  const lines = PACE_LINES.filter((line) => desk.seesAmounts || !isOfManagers(line));
  return (
    <div class={shown ? 'numbers' : 'visually-hidden'} {...(shown && { tabIndex: 0, role: 'group' })}>
      <table aria-label={words.caption(NIGHTS)}>
        <thead>
          <tr>
            {[words.night, ...lines.map((line) => words[line])].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {desk.days.value.map(({ date }) => (
            <Row key={date} desk={desk} date={date} lines={lines} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ desk, date, lines }: { desk: RevenueStore; date: string; lines: readonly PaceLine[] }) {
  const read = nightOf(desk, date);
  return (
    <tr>
      <th scope="row">{mediumDay(date)}</th>
      {lines.map((line) => (
        <td key={line}>{textOf(read, line)}</td>
      ))}
    </tr>
  );
}

type Night = Record<keyof PaceLines, number | undefined>;

function nightOf(desk: RevenueStore, date: string): Night {
  const night = desk.night(date).value;
  const { weekAgo, lastYear, forecast } = desk.revenue;
  const { expected, low, high } = forecast.value.get(date) ?? {};
  return {
    now: night?.roomsSold,
    weekAgo: weekAgo.value?.get(date),
    lastYear: lastYear.value.get(date)?.roomsSold,
    expected,
    low,
    high,
    capacity: night?.roomsAvailable,
  };
}

function linesOf(desk: RevenueStore): PaceLines {
  const nights = desk.days.value.map(({ date }) => nightOf(desk, date));
  const line = (name: keyof PaceLines) => nights.map((night) => night[name]);
  return {
    now: line('now'),
    weekAgo: line('weekAgo'),
    lastYear: line('lastYear'),
    capacity: line('capacity'),
    expected: line('expected'),
    low: line('low'),
    high: line('high'),
  };
}

function textOf(night: Night, line: PaceLine): string {
  const rooms = night[line];
  if (rooms === undefined) return NOT_KNOWN;
  return line === 'expected' ? words.between(rooms, night.low ?? rooms, night.high ?? rooms) : String(rooms);
}

/** History and forecast lines are shown to roles with access to revenue. */
function isOfManagers(line: PaceLine): boolean {
  return line === 'lastYear' || line === 'expected';
}

function hintsOf(desk: RevenueStore): string {
  if (!desk.seesAmounts) return '';
  const { lastYear, forecast } = desk.revenue;
  const hints = [
    lastYear.value.size === 0 && words.noLastYear,
    desk.isPast.value ? words.noPastForecast : forecast.value.size === 0 && words.noForecast,
  ];
  return hints.filter((hint) => hint !== false).join(' ');
}
