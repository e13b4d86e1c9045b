import { ConnectionStatus, DataAge } from './connection-status.tsx';
import { type Desk, NIGHTS } from './desk.ts';
import { Feed } from './feed.tsx';
import { Grid } from './grid.tsx';
import { AdvicePanel } from './advice-panel.tsx';
import { CellLine } from './cell-line.tsx';
import { Icon, Mark } from './icons.tsx';
import { KpiTiles } from './kpi-tiles.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { NightPanel } from './night-panel.tsx';
import { PaceChart } from './pace-chart.tsx';
import { addDays, dayRange } from './days.ts';
import { WorkspaceSwitch } from './workspace-switch.tsx';

type Props = { desk: Desk; onSignOut: () => void };

/** The desk: the nights of a property, what happens to them, and whether all that is true right now. */
export function DeskView({ desk, onSignOut }: Props) {
  return (
    <>
      <header class="bar">
        <a class="brand" href="/" aria-label="Innkeeper, start page">
          <Mark />
          <span>Innkeeper</span>
        </a>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="revenue" />
        <ConnectionStatus desk={desk} />
        <div class="who">
          <span>
            {desk.user.tenantId} <small>{desk.role.value.toLowerCase()}</small>
          </span>
          <button type="button" onClick={onSignOut}>
            Sign out
          </button>
        </div>
      </header>
      <Notice desk={desk} onSignOut={onSignOut} />
      <main class="desk">
        <section class="nights" aria-label="Rooms and prices by night">
          <div class="head">
            <Title desk={desk} />
            <ModeSwitch desk={desk} />
          </div>
          <KpiTiles desk={desk} />
          <Grid desk={desk} />
          <CellLine desk={desk} />
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

function PropertyPicker({ desk }: { desk: Desk }) {
  return (
    <label class="picker">
      <span class="visually-hidden">Property</span>
      <select
        value={desk.property.value?.propertyId ?? ''}
        disabled={desk.properties.value.length === 0}
        onChange={(event) => desk.choose(event.currentTarget.value)}
      >
        {desk.properties.value.length === 0 && <option value="">…</option>}
        {desk.properties.value.map(({ propertyId, name }) => (
          <option key={propertyId} value={propertyId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Which nights; the property itself is named by its picker. */
function Title({ desk }: { desk: Desk }) {
  const start = desk.start.value;
  const atToday = start === desk.today.value;
  return (
    <div class="title">
      <div class="range">
        <button
          type="button"
          class="quiet"
          aria-label="Earlier nights"
          disabled={atToday}
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
          aria-label="Later nights"
          disabled={start === ''}
          onClick={() => desk.page(1)}
        >
          <Icon name="forward" />
        </button>
        <button type="button" class="quiet" disabled={atToday} onClick={() => desk.show(desk.today.value)}>
          Today
        </button>
      </div>
      <DataAge desk={desk} />
    </div>
  );
}

function Notice({ desk, onSignOut }: Props) {
  const signedOut = desk.connection.value.kind === 'signed-out';
  const text = signedOut ? 'You are signed out: what you see is no longer live.' : desk.notice.value;
  return (
    <div class="notice" role="alert">
      {text !== undefined && (
        <p>
          {text}
          {(signedOut || text.includes('expired')) && (
            <button type="button" class="primary" onClick={onSignOut}>
              Sign in again
            </button>
          )}
        </p>
      )}
    </div>
  );
}
