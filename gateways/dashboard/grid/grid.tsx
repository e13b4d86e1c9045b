import { useEffect, useRef } from 'preact/hooks';

import { grid as words, gridCaption, modeHint } from '../messages.ts';
import { eventWords } from '../revenue/night/event-messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { useChoosing } from './choosing.ts';
import { dayClass } from './day-class.ts';
import { type DayInfo, monthHeads } from './days.ts';
import { GridCellView } from './grid-cell.tsx';
import { OccupancyRow } from './occupancy-row.tsx';

/** Rows reserved before data arrives, so that little moves then. */
const EXPECTED_TYPES = 3;
/** A column is as wide as this many letters: `Aujourd’hui` would be cut, and the column is marked all the same. */
const LONGEST_NAME = 6;

/** The grid of room types by nights, in the current mode. */
export function Grid({ desk }: { desk: RevenueStore }) {
  const table = useRef<HTMLTableElement>(null);
  const start = desk.start.value;
  const days = desk.days.value;
  const types = desk.roomTypes.value;
  const hear = useChoosing(desk, table);
  useEffect(() => scrollToStart(table.current), [start]);
  return (
    <div
      class="scroller"
      data-stale={desk.isOld.value || undefined}
      data-aged={desk.isAged.value || undefined}
      data-mode={desk.mode.value}
      style={{ '--types': String(types.length || EXPECTED_TYPES) }}
      role="region"
      aria-label={words.region}
    >
      <table
        ref={table}
        role="grid"
        aria-readonly="true"
        aria-multiselectable={desk.editor.isOpen || undefined}
        {...hear}
      >
        <caption class="visually-hidden">{gridCaption(modeHint(desk.mode.value), desk.nights.value)}</caption>
        <Heads desk={desk} days={days} />
        <tbody>
          <OccupancyRow desk={desk} days={days} />
          {types.length === 0 && days.length > 0 && <Placeholders nights={days.length} />}
          {types.map((roomType) => (
            <tr key={roomType}>
              <th scope="row">
                <span class="code">{roomType}</span>
                <span class="name">{desk.names.value.get(roomType) ?? ''}</span>
              </th>
              {days.map((day) => (
                <GridCellView
                  key={day.date}
                  desk={desk}
                  roomType={roomType}
                  day={day}
                  isToday={day.date === desk.today.value}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heads({ desk, days }: { desk: RevenueStore; days: readonly DayInfo[] }) {
  return (
    <thead>
      <tr class="months">
        <td />
        {monthHeads(days).map(({ month, shown, nights }) => (
          <th key={month} scope="colgroup" colSpan={nights} title={shown === month ? undefined : month}>
            <span aria-hidden={shown !== month || undefined}>{shown}</span>
            {shown !== month && <span class="visually-hidden">{month}</span>}
          </th>
        ))}
      </tr>
      <tr class="days">
        <th scope="col">{words.roomType}</th>
        {days.map((day) => (
          <DayHead key={day.date} desk={desk} day={day} isToday={day.date === desk.today.value} />
        ))}
      </tr>
    </thead>
  );
}

function Placeholders({ nights }: { nights: number }) {
  const rows = Array.from({ length: EXPECTED_TYPES }, (_, row) => row);
  return (
    <>
      {rows.map((row) => (
        <tr key={row} aria-hidden="true">
          <th />
          <td colSpan={nights} />
        </tr>
      ))}
    </>
  );
}

function DayHead({ desk, day, isToday }: { desk: RevenueStore; day: DayInfo; isToday: boolean }) {
  const events = desk.revenue.calendar.byDate.value.get(day.date);
  return (
    <th
      scope="col"
      class={dayClass(day, isToday)}
      aria-current={isToday ? 'date' : undefined}
      data-event={events && ''}
      title={events?.map(({ name }) => name).join(', ')}
    >
      <span class="weekday">{isToday && words.today.length <= LONGEST_NAME ? words.today : day.weekday}</span>
      <span class="day">{day.dayOfMonth}</span>
      {day.isWeekend && <span class="visually-hidden">{words.weekend}</span>}
      {events && <span class="visually-hidden">{eventWords(events)}</span>}
    </th>
  );
}

function scrollToStart(table: HTMLTableElement | null): void {
  table?.parentElement?.scrollTo({ left: 0 });
}
