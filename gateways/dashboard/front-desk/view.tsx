import { useEffect } from 'preact/hooks';

import { AppBar, Who } from '../app-bar.tsx';
import { DemoPaceSwitch } from '../demo-pace.tsx';
import { addDays, dayRange } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { Notice, SignedOut } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { Chart } from './chart.tsx';
import { DrawerView } from './drawer-view.tsx';
import { CHART_DAYS, type FrontDesk } from './front-desk.ts';
import { TaskIcon } from './icons.tsx';
import { Lists } from './lists.tsx';
import { desk as words, DESK_KEYS, moving, taskMessages } from './messages.ts';
import { DESK_TASKS } from './tasks.ts';

type Props = { desk: FrontDesk; onSignOut: () => void };

/** The front desk: arrivals, departures, guests in house, and rooms. */
export function FrontDeskView({ desk, onSignOut }: Props) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
      if (event.key !== 'Escape' || event.defaultPrevented || isInDialog) return;
      if (desk.moving.picked.peek()) desk.moving.putBack();
      else if (desk.drawer.confirming.peek()) desk.drawer.giveUp();
      else desk.drawer.close();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [desk]);
  const state = desk.connection.value;
  if (state.kind === 'signed-out' && desk.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="desk" />
        <ConnectionStatus desk={desk} />
        <KeysHelp groups={DESK_KEYS} />
        <DemoPaceSwitch desk={desk} role={desk.role.value} />
        <Who tenantId={desk.user.tenantId} role={desk.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={desk} onSignOut={onSignOut} />
      <main class="front-desk" data-stale={isStale(desk) || undefined}>
        <Lists desk={desk} />
        <section class="board" aria-label={words.chart}>
          <div class="head">
            <Days desk={desk} />
            <Legend />
          </div>
          <Alarms desk={desk} />
          <MovingBar desk={desk} />
          <Chart desk={desk} />
        </section>
        <DrawerView desk={desk} />
      </main>
    </>
  );
}

/** Navigation of the chart's days. */
function Days({ desk }: { desk: FrontDesk }) {
  const start = desk.start.value;
  const atToday = start === addDays(desk.today.value || '2000-01-01', -1);
  return (
    <div class="title">
      <div class="range">
        <button type="button" class="quiet" aria-label={words.earlier} onClick={() => desk.page(-7)}>
          <Icon name="back" />
        </button>
        <h1>
          <span class="visually-hidden">{desk.property.value?.name}, </span>
          {start === '' ? '\u00a0' : dayRange(start, addDays(start, CHART_DAYS - 1))}
        </h1>
        <button type="button" class="quiet" aria-label={words.later} onClick={() => desk.page(7)}>
          <Icon name="forward" />
        </button>
        <button type="button" class="quiet" disabled={atToday} onClick={() => desk.page(0)}>
          {words.today}
        </button>
      </div>
      <p class="data-age keys-short">{words.keysShort}</p>
    </div>
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
          <button type="button" onClick={() => showLane(key)}>
            <TaskIcon task="overstay" />
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

function showLane(key: string): void {
  const lanes = [...document.querySelectorAll<HTMLElement>('.lane')];
  const lane = lanes.find((one) => one.dataset.lane === key);
  lane?.scrollIntoView({ block: 'center' });
  lane?.querySelector<HTMLElement>('[data-item]')?.focus({ preventScroll: true });
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
