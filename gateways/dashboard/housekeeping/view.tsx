import { useEffect } from 'preact/hooks';

import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { onSingleKeys } from '../keys.ts';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { Notice, SignedOut } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { ServiceButton } from '../service-button.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { type BoardFilter, type BoardState, isToDo, isToInspect, STATES } from './board.ts';
import type { Housekeeping } from './housekeeping.ts';
import { HOUSEKEEPING_KEYS, housekeepingBoard as words } from './messages.ts';
import { RoomCard } from './room-card.tsx';

type Props = { desk: Housekeeping; onSignOut: () => void };

/** Rooms by floor with their tasks; three buttons a room do what is done most. */
export function HousekeepingView({ desk, onSignOut }: Props) {
  useEffect(() => onSingleKeys({ u: () => void desk.undo() }), [desk]);
  const state = desk.connection.value;
  if (state.kind === 'signed-out' && desk.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="desk" />
        <ConnectionStatus desk={desk} />
        <KeysHelp groups={[HOUSEKEEPING_KEYS]} />
        <Who tenantId={desk.user.tenantId} role={desk.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={desk} onSignOut={onSignOut} />
      <main class="housekeeping">
        <div class="housekeeping-head">
          <h1>
            <span class="visually-hidden">{desk.property.value?.name}, </span>
            {words.title}
          </h1>
          <a href="/desk">{words.desk}</a>
          <Filters desk={desk} />
        </div>
        <Floors desk={desk} />
        <LastTapBar desk={desk} />
      </main>
    </>
  );
}

function Floors({ desk }: { desk: Housekeeping }) {
  const all = desk.board.value;
  const floors = desk.shown.value;
  if (!desk.loaded.value)
    return (
      <>
        <p class="muted">{words.loading}</p>
        <Skeleton rows={8} />
      </>
    );
  if (all.length === 0) return <p class="muted">{words.noRooms}</p>;
  if (floors.length === 0) return <p class="muted">{words.nothingLeft}</p>;
  return (
    <div aria-label={words.board} role="group">
      {floors.map(({ floor, rooms }) => (
        <section key={floor} class="housekeeping-floor" aria-labelledby={`floor${floor}`}>
          <h2 id={`floor${floor}`}>{words.floorName(floor)}</h2>
          <ul>
            {rooms.map((one) => (
              <RoomCard key={one.room.roomNumber} desk={desk} one={one} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Filters({ desk }: { desk: Housekeeping }) {
  const filter = desk.filter.value;
  const board = desk.board.value;
  const rooms = board.flatMap((floor) => floor.rooms);
  const left = desk.shown.value.reduce((sum, floor) => sum + floor.rooms.length, 0);
  const set = (changed: BoardFilter): void => desk.narrow({ ...filter, ...changed });
  const isOn = Object.keys(filter).length > 0;
  return (
    <div class="chart-filters" role="group" aria-label={words.filters}>
      <label data-on={filter.floor !== undefined || undefined}>
        {words.floor}
        <select
          value={filter.floor ?? ''}
          onChange={({ currentTarget: { value } }) => set({ floor: value === '' ? undefined : Number(value) })}
        >
          <option value="">{words.all}</option>
          {board.map(({ floor }) => (
            <option key={floor} value={floor}>
              {words.floorName(floor)}
            </option>
          ))}
        </select>
      </label>
      <label data-on={filter.attendant !== undefined || undefined}>
        {words.attendant}
        <select
          value={filter.attendant === undefined ? '' : `is ${filter.attendant}`}
          onChange={({ currentTarget: { value } }) => set({ attendant: value === '' ? undefined : value.slice(3) })}
        >
          <option value="">{words.all}</option>
          <option value="is ">{words.nobody}</option>
          {attendantsOf(desk).map((name) => (
            <option key={name} value={`is ${name}`}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label data-on={filter.state !== undefined || undefined}>
        {words.state}
        <select
          value={filter.state ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set({ state: value === '' ? undefined : (value as BoardState) })
          }
        >
          <option value="">{words.all}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {words.states[state]}
            </option>
          ))}
        </select>
      </label>
      <span role="status" class="hidden-count">
        {desk.loaded.value &&
          words.counts(rooms.filter(isToDo).length, rooms.filter(isToInspect).length, rooms.length - left)}
      </span>
      <button type="button" class="quiet" disabled={!isOn} onClick={() => desk.narrow({})}>
        {words.clear}
      </button>
    </div>
  );
}

/** Those of tasks, and the one that the address names. */
function attendantsOf(desk: Housekeeping): string[] {
  const { attendant } = desk.filter.value;
  return [...new Set([...desk.attendants.value, ...(attendant ? [attendant] : [])])];
}

/** What the last tap did; it keeps its place, so that nothing moves under a thumb. */
function LastTapBar({ desk }: { desk: Housekeeping }) {
  const last = desk.last.value;
  return (
    <div class="last-tap" data-on={last !== undefined || undefined}>
      {last && (
        <>
          <span>{last.text}</span>
          {last.before !== undefined && (
            <ServiceButton desk={desk} onClick={() => void desk.undo()}>
              {words.undo}
            </ServiceButton>
          )}
        </>
      )}
    </div>
  );
}
