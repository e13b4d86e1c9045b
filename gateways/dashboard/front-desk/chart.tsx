import { useComputed } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { dayClass } from '../grid/day-class.ts';
import type { DayInfo } from '../grid/days.ts';
import { Skeleton } from '../shell/skeleton.tsx';
import { BarView, dragging, Ghost } from './bar.tsx';
import { MarkedNights, marking } from './booking/drag.tsx';
import { openClosing, showMaintenance } from './closing/open-closing.tsx';
import type { FrontDesk } from './front-desk.ts';
import { RoomIcon } from './icons.tsx';
import { enterGrid, moveInGrid } from './keys.ts';
import type { Closure, Lane, LaneGroup, Shortfall } from './lanes.ts';
import { desk as words, moving as movingWords, roomStatusMessages } from './messages.ts';
import { shown as shownWords } from './shown/messages.ts';

const ROWS_WAITING = 12;

/** The tape chart, rooms by days: one tab stop, in which stays are opened and moved by keys, clicks or drags. */
export function Chart({ desk }: { desk: FrontDesk }) {
  const grid = useRef<HTMLDivElement>(null);
  const days = desk.days.value;
  const { groups } = desk.chart.shown.value;
  const sought = desk.chart.sought.value;
  const over = desk.moving.picked.value?.over;
  useEffect(() => enterGrid(grid.current));
  useEffect(() => {
    if (over !== undefined) rowOfRoom(grid.current, over)?.scrollIntoView({ block: 'nearest' });
  }, [over]);
  useEffect(() => {
    const bar = sought === undefined ? null : grid.current?.querySelector(`[data-stay="${CSS.escape(sought)}"]`);
    if (!bar) return;
    bar.scrollIntoView({ block: 'center', inline: 'nearest' });
    desk.chart.sought.value = undefined;
  }, [sought, groups]);
  if (!desk.loaded.value)
    return (
      <>
        <p class="muted waiting">{words.loading}</p>
        <Skeleton rows={ROWS_WAITING} />
      </>
    );
  if (desk.groups.value.length === 0) return <p class="muted waiting">{words.noStays}</p>;
  if (groups.length === 0) return <p class="muted waiting">{shownWords.nothingLeft}</p>;
  return (
    <div class="tape" data-moving={desk.moving.picked.value !== undefined || undefined}>
      <p class="visually-hidden" id="tape-help">
        {words.gridHelp}
      </p>
      <div
        ref={grid}
        class="tape-grid"
        role="grid"
        data-span={days.length}
        style={{ '--days': days.length, '--halves': 2 * days.length }}
        aria-label={words.chart}
        aria-describedby="tape-help"
        onKeyDown={(event) => onKey(desk, event)}
        onClick={(event) => onClick(desk, event)}
        onPointerDown={(event) => {
          dragging(desk, event);
          marking(desk, event);
        }}
      >
        <div role="row" class="tape-days">
          <div role="columnheader" class="corner">
            {words.rooms}
          </div>
          {days.map((day) => (
            <DayHead key={day.date} day={day} isToday={day.date === desk.today.value} />
          ))}
        </div>
        {groups.map((group) => (
          <Group key={group.roomType} desk={desk} group={group} days={days} />
        ))}
      </div>
    </div>
  );
}

function DayHead({ day, isToday }: { day: DayInfo; isToday: boolean }) {
  return (
    <div role="columnheader" class={dayClass(day, isToday)} aria-current={isToday ? 'date' : undefined}>
      <span class="dow">{isToday ? words.today : day.weekday}</span>
      <span class="dom">{day.dayOfMonth}</span>
    </div>
  );
}

function Group({ desk, group, days }: { desk: FrontDesk; group: LaneGroup; days: readonly DayInfo[] }) {
  const name = desk.names.value.get(group.roomType);
  return (
    <div role="rowgroup" class="tape-group" aria-label={name ?? group.roomType}>
      <div role="row" class="tape-type">
        <div role="rowheader">
          <strong>{group.roomType}</strong> <span>{name}</span>
        </div>
        {days.map(({ date }, index) => (
          <div key={date} role="gridcell" data-over={(group.free[index] ?? 0) < 0 || undefined}>
            {group.rooms > 0 && (
              <span aria-label={words.freeLong(group.free[index] ?? 0, date)}>
                {words.free(Math.max(0, group.free[index] ?? 0), days.length > 14)}
              </span>
            )}
          </div>
        ))}
      </div>
      {/* Once for all rooms: a cell for each night of each room would be 12,000 elements in a large property. */}
      <div class="tape-ground" role="presentation">
        {days.map((day) => (
          <i key={day.date} class={dayClass(day, day.date === desk.today.value)} />
        ))}
      </div>
      {group.lanes.map((lane) => (
        <LaneRow key={lane.key} desk={desk} lane={lane} days={days} />
      ))}
    </div>
  );
}

function LaneRow({ desk, lane, days }: { desk: FrontDesk; lane: Lane; days: readonly DayInfo[] }) {
  const roomNumber = lane.kind === 'room' ? lane.room.roomNumber : undefined;
  const target = useComputed(() => {
    const picked = desk.moving.picked.value;
    return roomNumber !== undefined && picked?.over === roomNumber ? picked.stay : undefined;
  });
  const over = target.value;
  return (
    <div
      role="row"
      class="lane"
      data-kind={lane.kind}
      data-lane={lane.key}
      data-room={roomNumber}
      data-target={over !== undefined || undefined}
    >
      <LaneHead lane={lane} />
      <div role="presentation" class="track">
        {lane.kind === 'room' &&
          lane.closures.map((closure) => <ClosureView key={closure.maintenance.maintenanceId} closure={closure} />)}
        {lane.kind === 'overbooked'
          ? lane.gaps.map((gap) => <Gap key={gap.from} gap={gap} days={days} />)
          : lane.bars.map((bar) => <BarView key={bar.stay.reservationId} desk={desk} bar={bar} />)}
        <MarkedNights desk={desk} roomNumber={roomNumber} />
        {over && over.roomNumber !== roomNumber && <Ghost desk={desk} stay={over} />}
      </div>
    </div>
  );
}

function LaneHead({ lane }: { lane: Lane }) {
  switch (lane.kind) {
    case 'room': {
      const { roomNumber, status, reservationId } = lane.room;
      return (
        <div role="rowheader">
          <button type="button" class="room" data-item data-status={status} tabIndex={-1}>
            <span class="visually-hidden">{words.roomWord} </span>
            <strong>{roomNumber}</strong> <RoomIcon status={status} /> <span>{roomStatusMessages[status]}</span>
            {reservationId !== undefined && <span class="visually-hidden">, {words.guestInIt}</span>}
          </button>
        </div>
      );
    }
    case 'clash':
      return (
        <div role="rowheader" class="alarm">
          {words.clash(lane.roomNumber, lane.clash)}
        </div>
      );
    case 'unassigned':
      return <div role="rowheader">{words.unassigned}</div>;
    case 'overbooked':
      return (
        <div role="rowheader" class="alarm">
          {words.overbooked}
        </div>
      );
  }
}

function ClosureView({ closure: { maintenance, from, to } }: { closure: Closure }) {
  const label = words.maintenance(maintenance);
  return (
    <div role="gridcell" class="cell" style={{ gridColumn: `${from + 1} / ${to + 1}` }}>
      <button
        type="button"
        class="closure"
        data-item
        data-maintenance={maintenance.maintenanceId}
        data-kind={maintenance.kind}
        tabIndex={-1}
        aria-label={label}
        title={label}
      >
        {maintenance.reason}
      </button>
    </div>
  );
}

function Gap({ gap, days }: { gap: Shortfall; days: readonly DayInfo[] }) {
  const from = days[Math.floor(gap.from / 2)]?.date ?? '';
  return (
    <div
      role="gridcell"
      class="cell"
      style={{ gridColumn: `${gap.from + 1} / ${Math.min(gap.to, 2 * days.length) + 1}` }}
    >
      <span class="gap" aria-label={words.overLong(gap.rooms, from)}>
        {words.over(gap.rooms)}
      </span>
    </div>
  );
}

function onKey(desk: FrontDesk, event: TargetedKeyboardEvent<HTMLElement>): void {
  const { moving } = desk;
  const target = event.target as HTMLElement;
  if (moving.picked.peek()) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (step !== undefined) moving.step(step);
    else if (event.key === 'Enter') moving.drop();
    else if (event.key === 'Escape') moving.putBack();
    else return;
    event.preventDefault();
    return;
  }
  const stay = desk.screen.peek().stays.get(target.dataset.stay ?? '');
  if (stay && event.key.toLowerCase() === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    if (moving.canMove(stay)) moving.pickUp(stay);
    else desk.say(movingWords.notNow(stay.name));
  } else if (event.key.toLowerCase() === 'o' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const roomNumber = target.closest<HTMLElement>('[data-room]')?.dataset.room;
    if (roomNumber === undefined || !desk.mayAct) return;
    event.preventDefault();
    void openClosing(desk, roomNumber);
  } else if (moveInGrid(event.currentTarget, target, event.key)) event.preventDefault();
}

function onClick(desk: FrontDesk, event: Event): void {
  const target = event.target as HTMLElement;
  const roomNumber = target.closest<HTMLElement>('[data-room]')?.dataset.room;
  if (desk.moving.picked.peek()) {
    if (roomNumber !== undefined) desk.moving.drop(roomNumber);
    return;
  }
  const item = target.closest<HTMLElement>('[data-item]');
  const id = item?.dataset.stay;
  const maintenance = item?.dataset.maintenance;
  if (id !== undefined) void desk.drawer.open(id);
  else if (maintenance !== undefined && roomNumber !== undefined) void showMaintenance(desk, maintenance, roomNumber);
  else if (item && roomNumber !== undefined) desk.drawer.openRoom(roomNumber);
}

function rowOfRoom(grid: HTMLElement | null, roomNumber: string): Element | undefined {
  return [...(grid?.querySelectorAll('[data-room]') ?? [])].find(
    (row) => row instanceof HTMLElement && row.dataset.room === roomNumber,
  );
}
