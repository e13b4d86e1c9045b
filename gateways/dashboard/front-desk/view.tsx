import { useEffect } from 'preact/hooks';

import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { Notice, SignedOut } from '../notice.tsx';
import { offerCommands } from '../palette/commands.ts';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { BookingPanel } from './booking/open.tsx';
import { Chart } from './chart.tsx';
import { deskCommands } from './desk-commands.ts';
import { DrawerView } from './drawer-view.tsx';
import type { FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import { Lists } from './lists.tsx';
import { desk as words, DESK_KEYS, moving, taskMessages } from './messages.ts';
import { DaysBar } from './shown/days-bar.tsx';
import { FilterBar } from './shown/filter-bar.tsx';
import { CHART_KEYS } from './shown/messages.ts';
import { DESK_TASKS } from './tasks.ts';

type Props = { desk: FrontDesk; onSignOut: () => void };

/** The front desk: arrivals, departures, guests in house, and rooms. */
export function FrontDeskView({ desk, onSignOut }: Props) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
      if (event.key !== 'Escape' || event.defaultPrevented || isInDialog) return;
      if (desk.moving.picked.peek()) desk.moving.putBack();
      else if (desk.drawer.confirming.peek() ?? desk.drawer.verb.peek()) desk.drawer.giveUp();
      else if (desk.drawer.opened.peek()) desk.drawer.close();
      else desk.booking.close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [desk]);
  useEffect(() => offerCommands(() => deskCommands(desk)), [desk]);
  const state = desk.connection.value;
  if (state.kind === 'signed-out' && desk.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="desk" />
        <ConnectionStatus desk={desk} />
        <KeysHelp groups={[...DESK_KEYS, CHART_KEYS]} />
        <Who tenantId={desk.user.tenantId} role={desk.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={desk} onSignOut={onSignOut} />
      <main class="front-desk" data-stale={isStale(desk) || undefined}>
        <Lists desk={desk} />
        <section class="board" aria-label={words.chart}>
          <div class="head">
            <DaysBar desk={desk} />
            <Legend />
          </div>
          <FilterBar desk={desk} />
          <Alarms desk={desk} />
          <MovingBar desk={desk} />
          <Chart desk={desk} />
        </section>
        <BookingPanel desk={desk} />
        <DrawerView desk={desk} />
      </main>
    </>
  );
}

function Legend() {
  return (
    <ul class="todo-legend" aria-label={words.legend}>
      {DESK_TASKS.map((task) => (
        <li key={task}>
          <span class="swatch" data-task={task}>
            <TaskIcon task={task} />
          </span>
          {taskMessages[task]}
        </li>
      ))}
    </ul>
  );
}

/** Problems to solve, wherever in the chart they are. */
function Alarms({ desk }: { desk: FrontDesk }) {
  const alarms = desk.alarms.value;
  if (alarms.length === 0) return null;
  return (
    <ul class="alarms" aria-label={words.alarms}>
      {alarms.map(({ key, text }) => (
        <li key={key}>
          <button type="button" onClick={() => showLane(desk, key)}>
            <TaskIcon task="overstay" />
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

function showLane(desk: FrontDesk, key: string): void {
  // An alert is never out of reach: filters that hide its lane go.
  if (!laneOf(key)) desk.chart.narrow({});
  requestAnimationFrame(() => {
    const lane = laneOf(key);
    lane?.scrollIntoView({ block: 'center' });
    lane?.querySelector<HTMLElement>('[data-item]')?.focus({ preventScroll: true });
  });
}

function laneOf(key: string): HTMLElement | undefined {
  const lanes = [...document.querySelectorAll<HTMLElement>('.lane')];
  return lanes.find((one) => one.dataset.lane === key);
}

/** Bar shown while a stay is moved, with cancel for users without a keyboard. */
function MovingBar({ desk }: { desk: FrontDesk }) {
  const picked = desk.moving.picked.value;
  if (!picked) return null;
  return (
    <p class="moving">
      {moving.bar(picked.stay.name)}
      <button type="button" onClick={() => desk.moving.putBack()}>
        {moving.putBackButton}
      </button>
    </p>
  );
}

function isStale(desk: FrontDesk): boolean {
  const { kind } = desk.connection.value;
  return kind === 'offline' || kind === 'reconnecting' || kind === 'signed-out';
}
