import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { grid as words, gridCaption, modeHint } from '../messages.ts';
import { type RevenueStore, NIGHTS } from '../revenue/store.ts';
import { useArrowKeys } from './arrow-keys.ts';
import { dayClass } from './day-class.ts';
import type { DayInfo } from './days.ts';
import { GridCellView } from './grid-cell.tsx';
import { OccupancyRow } from './occupancy-row.tsx';

/** Rows reserved before data arrives, so that little moves then. */
const EXPECTED_TYPES = 3;

/** The grid of room types by nights, in the current mode. */
export function Grid({ desk }: { desk: RevenueStore }) {
  const table = useRef<HTMLTableElement>(null);
  /** The click that ends a drag chooses nothing. */
  const wasDrag = useRef(false);
  const start = desk.start.value;
  const days = desk.days.value;
  const types = desk.roomTypes.value;
  const onKeyDown = useArrowKeys(table);
  useEffect(() => scrollToStart(table.current), [start]);
  const inspect = (event: Event): void => {
    const key = keyAt(event);
    if (key) desk.inspected.value = key;
  };
  const { editor } = desk;
  const select = (event: MouseEvent): void => {
    const key = keyAt(event);
    if (!key) return;
    if (editor.isOpen && event.shiftKey) editor.extend(key);
    else if (!wasDrag.current) editor.pick(key);
  };
  // Touch scrolls the table instead.
  const press = (event: PointerEvent): void => {
    wasDrag.current = false;
    const key = keyAt(event);
    if (key && event.pointerType === 'mouse' && !event.shiftKey) editor.pick(key);
  };
  const drag = (event: PointerEvent): void => {
    inspect(event);
    const key = keyAt(event);
    const isDragged = editor.isOpen && event.pointerType === 'mouse' && event.buttons === 1;
    if (!key || !isDragged || key === desk.selected.peek()) return;
    wasDrag.current = true;
    editor.extend(key);
  };
  const onKeys = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const from = keyOf(document.activeElement);
    onKeyDown(event);
    const to = keyOf(document.activeElement);
    if (!editor.isOpen || !event.shiftKey || !from || !to || from === to) return;
    if (editor.reach.peek() !== from) editor.pick(from);
    editor.extend(to);
  };
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
        aria-multiselectable={editor.isOpen || undefined}
        onKeyDown={onKeys}
        onPointerDown={press}
        onPointerOver={drag}
        onFocusIn={inspect}
        onClick={select}
      >
        <caption class="visually-hidden">{gridCaption(modeHint(desk.mode.value), NIGHTS)}</caption>
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
        {monthsOf(days).map(({ month, nights }) => (
          <th key={month} scope="colgroup" colSpan={nights}>
            <span>{month}</span>
          </th>
        ))}
      </tr>
      <tr class="days">
        <th scope="col">{words.roomType}</th>
        {days.map((day) => (
          <DayHead key={day.date} day={day} isToday={day.date === desk.today.value} />
        ))}
      </tr>
    </thead>
  );
}

/** The key of the cell of an event. */
const keyAt = ({ target }: Event): string | null | undefined => keyOf(target);

function keyOf(target: EventTarget | null): string | null | undefined {
  return target instanceof Element
    ? target.closest('td')?.querySelector('[data-key]')?.getAttribute('data-key')
    : null;
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

function DayHead({ day, isToday }: { day: DayInfo; isToday: boolean }) {
  return (
    <th scope="col" class={dayClass(day, isToday)} aria-current={isToday ? 'date' : undefined}>
      <span class="weekday">{isToday ? words.today : day.weekday}</span>
      <span class="day">{day.dayOfMonth}</span>
      {day.isWeekend && <span class="visually-hidden">{words.weekend}</span>}
    </th>
  );
}

function monthsOf(days: readonly DayInfo[]): { month: string; nights: number }[] {
  const months: { month: string; nights: number }[] = [];
  for (const { month } of days) {
    const last = months.at(-1);
    if (last?.month === month) last.nights += 1;
    else months.push({ month, nights: 1 });
  }
  return months;
}

function scrollToStart(table: HTMLTableElement | null): void {
  table?.parentElement?.scrollTo({ left: 0 });
}
