import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { frame as words } from '../access/messages.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { DemoPaceSwitch } from '../demo-pace.tsx';
import { CellLine } from '../grid/cell-line.tsx';
import { addDays, dayRange } from '../grid/days.ts';
import { Grid } from '../grid/grid.tsx';
import { KpiTiles } from '../grid/kpi-tiles.tsx';
import { pausing, travel as travelWords } from '../history/messages.ts';
import { TimeTravelBar } from '../history/time-travel-bar.tsx';
import { Icon } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { REVENUE_KEYS } from '../keys-messages.ts';
import { onSingleKeys } from '../keys.ts';
import { ConnectionStatus, DataAge } from '../live/connection-status.tsx';
import { Feed } from '../live/feed.tsx';
import { ModeSwitch } from '../mode-switch.tsx';
import { Notice, SignedOut } from '../notice.tsx';
import { FleetView } from '../properties/fleet-view.tsx';
import { fleet as fleetWords } from '../properties/messages.ts';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { AdvicePanel } from './advice-panel.tsx';
import { NightPanel } from './night-panel.tsx';
import { PaceChart } from './pace-chart.tsx';
import { RateEditorPanel } from './rate-editor-panel.tsx';
import { type RevenueStore, NIGHTS } from './store.ts';

type Props = { desk: RevenueStore; onSignOut: () => void };

/** The revenue workspace: nights of a property, their changes, and the state of the data. */
export function RevenueView({ desk, onSignOut }: Props) {
  const inFleet = useSignal(false);
  useEffect(
    () =>
      onSingleKeys({
        p: () => togglePause(desk),
        t: () => (desk.travel.open.value = !desk.travel.open.value),
        l: () => desk.travel.back(),
        f: () => (inFleet.value = !inFleet.value),
        z: () => void desk.editor.undo(),
      }),
    [desk],
  );
  const state = desk.connection.value;
  if (state.kind === 'signed-out' && desk.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <button
          type="button"
          class="quiet fleet-button"
          aria-pressed={inFleet.value}
          disabled={desk.properties.value.length === 0}
          onClick={() => (inFleet.value = !inFleet.value)}
        >
          {fleetWords.open}
        </button>
        <WorkspaceSwitch here="revenue" />
        <ConnectionStatus desk={desk} />
        {!inFleet.value && <Tense desk={desk} />}
        <KeysHelp groups={REVENUE_KEYS} />
        <DemoPaceSwitch desk={desk} role={desk.role.value} />
        <Who tenantId={desk.user.tenantId} role={desk.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={desk} onSignOut={onSignOut} />
      {inFleet.value ? (
        <FleetView
          desk={desk}
          onOpen={(propertyId) => {
            desk.choose(propertyId);
            inFleet.value = false;
          }}
        />
      ) : (
        <Workspace desk={desk} />
      )}
    </>
  );
}

function Workspace({ desk }: { desk: RevenueStore }) {
  return (
    <>
      <TimeTravelBar desk={desk} />
      <main class="desk" data-past={desk.isPast.value || undefined}>
        <section class="nights" aria-label={words.nights}>
          <div class="head">
            <Title desk={desk} />
            <ModeSwitch desk={desk} />
          </div>
          <KpiTiles desk={desk} />
          <Grid desk={desk} />
          <CellLine desk={desk} />
          {desk.editor.isExpected && <RateEditorPanel desk={desk} />}
          <NightPanel desk={desk} />
          <PaceChart desk={desk} />
        </section>
        <aside class="side">
          <Feed desk={desk} />
          {desk.seesAmounts && <AdvicePanel desk={desk} />}
        </aside>
      </main>
    </>
  );
}

/** The shown nights. */
function Title({ desk }: { desk: RevenueStore }) {
  const start = desk.start.value;
  const atToday = start === desk.today.value;
  return (
    <div class="title">
      <div class="range">
        <button
          type="button"
          class="quiet"
          aria-label={words.earlier}
          disabled={start <= desk.today.value}
          onClick={() => desk.page(-1)}
        >
          <Icon name="back" />
        </button>
        <h1>
          <span class="visually-hidden">{desk.property.value?.name}, </span>
          {start === '' ? '\u00a0' : dayRange(start, addDays(start, NIGHTS - 1))}
        </h1>
        <button
          type="button"
          class="quiet"
          aria-label={words.later}
          disabled={start === ''}
          onClick={() => desk.page(1)}
        >
          <Icon name="forward" />
        </button>
        <button type="button" class="quiet" disabled={atToday} onClick={() => desk.show(desk.today.value)}>
          {words.today}
        </button>
      </div>
      <DataAge desk={desk} />
    </div>
  );
}

/** Pause and time travel. */
function Tense({ desk }: { desk: RevenueStore }) {
  const { held, isPast, travel } = desk;
  return (
    <div class="tense">
      <button
        type="button"
        aria-pressed={held.value !== undefined}
        disabled={isPast.value}
        onClick={() => togglePause(desk)}
      >
        {held.value === undefined ? pausing.pause : pausing.resume}
      </button>
      <button
        type="button"
        aria-expanded={travel.open.value || isPast.value}
        disabled={isPast.value}
        onClick={() => (travel.open.value = !travel.open.value)}
      >
        {travelWords.open}
      </button>
    </div>
  );
}

function togglePause(desk: RevenueStore): void {
  if (desk.held.value === undefined) desk.pause();
  else desk.resume();
}
