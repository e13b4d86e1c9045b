import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { dayClass } from '../grid/day-class.ts';
import type { DayInfo } from '../grid/days.ts';
import { BarView, dragging, Ghost } from './bar.tsx';
import type { FrontDesk } from './front-desk.ts';
import { RoomIcon } from './icons.tsx';
import { enterGrid, moveInGrid } from './keys.ts';
import type { Closure, Lane, LaneGroup, Shortfall } from './lanes.ts';
import { desk as words, moving as movingWords, roomStatusMessages } from './messages.ts';

/** The tape chart, rooms by days: one tab stop, in which stays are opened and moved by keys, clicks or drags. */
export function Chart({ desk }: { desk: FrontDesk }) {
  const grid = useRef<HTMLDivElement>(null);
  const days = desk.days.value;
  const groups = desk.groups.value;
  const over = desk.moving.picked.value?.over;
  useEffect(() => enterGrid(grid.current));
  useEffect(() => {
    if (over !== undefined) rowOfRoom(grid.current, over)?.scrollIntoView({ block: 'nearest' });
  }, [over]);
  if (!desk.loaded.value) return <p class="muted waiting">{words.loading}</p>;
  if (groups.length === 0) return <p class="muted waiting">{words.noStays}</p>;
  return (
    <div class="tape" data-moving={desk.moving.picked.value !== undefined || undefined}>
      <p class="visually-hidden" id="tape-help">
        {words.gridHelp}
      </p>
      <div
        ref={grid}
        class="tape-grid"
        role="grid"
        aria-label={words.chart}
        aria-describedby="tape-help"
        onKeyDown={(event) => onKey(desk, event)}
        onClick={(event) => onClick(desk, event)}
        onPointerDown={(event) => dragging(desk, event)}
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
                {words.free(Math.max(0, group.free[index] ?? 0))}
              </span>
            )}
          </div>
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
  const picked = desk.moving.picked.value;
  const isTarget = roomNumber !== undefined && picked?.over === roomNumber;
  return (
    <div
      role="row"
      class="lane"
      data-kind={lane.kind}
      data-lane={lane.key}
      data-room={roomNumber}
      data-target={isTarget || undefined}
    >
      <LaneHead lane={lane} />
      <div role="presentation" class="track">
        {days.map((day, index) => (
          <i
            key={day.date}
            class={dayClass(day, day.date === desk.today.value)}
            style={{ gridColumn: cellOf(index) }}
          />
        ))}
        {lane.kind === 'room' &&
          lane.closures.map((closure) => <ClosureView key={closure.maintenance.maintenanceId} closure={closure} />)}
        {lane.kind === 'overbooked'
          ? lane.gaps.map((gap) => <Gap key={gap.from} gap={gap} days={days} />)
          : lane.bars.map((bar) => <BarView key={bar.stay.reservationId} desk={desk} bar={bar} />)}
        {isTarget && picked.stay.roomNumber !== roomNumber && <Ghost desk={desk} stay={picked.stay} />}
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
      <span class="closure" data-kind={maintenance.kind} aria-label={label} title={label}>
        {maintenance.reason}
      </span>
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
  if (id !== undefined) void desk.drawer.open(id);
  else if (item && roomNumber !== undefined) desk.drawer.openRoom(roomNumber);
}

function rowOfRoom(grid: HTMLElement | null, roomNumber: string): Element | undefined {
  return [...(grid?.querySelectorAll('[data-room]') ?? [])].find(
    (row) => row instanceof HTMLElement && row.dataset.room === roomNumber,
  );
}

function cellOf(index: number): string {
  return `${2 * index + 1} / ${2 * index + 3}`;
}
