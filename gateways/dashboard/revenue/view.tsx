import { useEffect } from 'preact/hooks';

import { frame as words } from '../access/messages.ts';
import { goToPage } from '../address.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { ChartsPanel } from '../charts/charts-panel.tsx';
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
import { nightsWord } from '../messages.ts';
import { ModeSwitch } from '../mode-switch.tsx';
import { Notice, SignedOut } from '../notice.tsx';
import { offerCommands } from '../palette/commands.ts';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { needsAnswer, ServiceButton } from '../service-button.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { AdvicePanel } from './advice-panel.tsx';
import { NIGHT_COUNTS } from './night-counts.ts';
import { NightPanel } from './night-panel.tsx';
import { RateEditorPanel } from './rate-editor-panel.tsx';
import { revenueCommands } from './revenue-commands.ts';
import type { RevenueStore } from './store.ts';

type Props = { desk: RevenueStore; onSignOut: () => void };

/** The revenue workspace: nights of a property, their changes, and the state of the data. */
export function RevenueView({ desk, onSignOut }: Props) {
  useEffect(
    () =>
      onSingleKeys({
        p: () => togglePause(desk),
        t: () => needsAnswer(desk).disabled || (desk.travel.open.value = !desk.travel.open.value),
        l: () => needsAnswer(desk).disabled || desk.travel.back(),
        f: () => goToPage('/fleet'),
        z: () => void desk.undoLast(),
      }),
    [desk],
  );
  useEffect(() => offerCommands(() => revenueCommands(desk)), [desk]);
  const state = desk.connection.value;
  if (state.kind === 'signed-out' && desk.property.value === undefined)
    return <SignedOut because={state.because} onSignOut={onSignOut} />;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="revenue" />
        <ConnectionStatus desk={desk} />
        <Tense desk={desk} />
        <KeysHelp groups={REVENUE_KEYS} />
        <Who tenantId={desk.user.tenantId} role={desk.role.value} onSignOut={onSignOut} />
      </AppBar>
      <Notice desk={desk} onSignOut={onSignOut} />
      <Workspace desk={desk} />
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
          <ChartsPanel desk={desk} />
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
        <ServiceButton
          desk={desk}
          reads
          class="quiet"
          aria-label={words.earlier}
          disabled={start <= desk.today.value}
          onClick={() => desk.page(-1)}
        >
          <Icon name="back" />
        </ServiceButton>
        <h1>
          <span class="visually-hidden">{desk.property.value?.name}, </span>
          {start === '' ? '\u00a0' : dayRange(start, addDays(start, desk.nights.value - 1))}
        </h1>
        <ServiceButton
          desk={desk}
          reads
          class="quiet"
          aria-label={words.later}
          disabled={start === ''}
          onClick={() => desk.page(1)}
        >
          <Icon name="forward" />
        </ServiceButton>
        <ServiceButton desk={desk} reads class="quiet" disabled={atToday} onClick={() => desk.show(desk.today.value)}>
          {words.today}
        </ServiceButton>
        <NightCountChoice desk={desk} />
      </div>
      <DataAge desk={desk} />
    </div>
  );
}

function NightCountChoice({ desk }: { desk: RevenueStore }) {
  return (
    <select
      class="night-count"
      aria-label={words.nightCount}
      value={desk.nights.value}
      {...needsAnswer(desk, { disabled: desk.start.value === '' })}
      onChange={({ currentTarget: { value } }) =>
        desk.show(
          desk.start.peek(),
          NIGHT_COUNTS.find((count) => String(count) === value),
        )
      }
    >
      {NIGHT_COUNTS.map((count) => (
        <option key={count} value={count}>
          {nightsWord(count)}
        </option>
      ))}
    </select>
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
      <ServiceButton
        desk={desk}
        reads
        aria-expanded={travel.open.value || isPast.value}
        disabled={isPast.value}
        onClick={() => (travel.open.value = !travel.open.value)}
      >
        {travelWords.open}
      </ServiceButton>
    </div>
  );
}

function togglePause(desk: RevenueStore): void {
  if (desk.held.value === undefined) desk.pause();
  else desk.resume();
}
