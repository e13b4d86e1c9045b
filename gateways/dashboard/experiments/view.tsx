import { AppBar, Who } from '../app-bar.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { NetworkStatus } from '../live/network-status.tsx';
import { TroubleNotice } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import type { ListedExperiment } from './api.ts';
import { BeginForm } from './begin-form.tsx';
import type { ExperimentDesk } from './experiment-desk.ts';
import { experiments as words, periodText, stateText, treatmentText } from './messages.ts';
import { ResultSheet } from './result-sheet.tsx';

type Props = { desk: ExperimentDesk };

/** Rates that are tried: what runs, what came of it, and the way to a new one. */
export function ExperimentsView({ desk, onSignOut }: Props & { onSignOut: () => void }) {
  const form = desk.form.value;
  const shown = desk.shown.value;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={desk} />
        <WorkspaceSwitch here="revenue" />
        <NetworkStatus />
        <KeysHelp groups={[]} />
        <Who tenantId={desk.user.tenantId} role="" onSignOut={onSignOut} />
      </AppBar>
      <TroubleNotice trouble={desk.trouble.value} onSignOut={onSignOut} />
      <main class="experiments">
        <header>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
          <p class="actions">
            <ServiceButton
              desk={desk}
              class="primary"
              disabled={desk.listed.value === undefined || desk.isRunning.value || form !== undefined}
              aria-describedby={desk.isRunning.value ? 'experiments-one' : undefined}
              onClick={() => desk.begin()}
            >
              {words.new}
            </ServiceButton>
            {desk.isRunning.value && <small id="experiments-one">{words.oneAtATime}</small>}
            <WhyDisabled desk={desk} />
          </p>
          <p role="status">{desk.done.value}</p>
        </header>
        {form && <BeginForm form={form} />}
        <List desk={desk} listed={desk.listed.value} />
        {shown && !form && <ResultSheet desk={desk} shown={shown} />}
      </main>
    </>
  );
}

function List({ desk, listed }: Props & { listed: readonly ListedExperiment[] | undefined }) {
  if (listed === undefined)
    return desk.trouble.value === undefined ? (
      <>
        <p class="visually-hidden">{words.loading}</p>
        <Skeleton rows={4} />
      </>
    ) : null;
  if (listed.length === 0) return <p class="muted">{words.none}</p>;
  const here = desk.shown.value?.id;
  return (
    <div class="experiment-table" role="region" aria-label={words.list} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[words.name, words.plan, words.treatment, words.period, words.state].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.map((one) => (
            <tr key={one.id} aria-current={one.id === here || undefined}>
              <th scope="row">
                <ServiceButton
                  desk={desk}
                  reads
                  class="quiet"
                  aria-label={words.show(one.name)}
                  onClick={() => void desk.open(one)}
                >
                  {one.name}
                </ServiceButton>
              </th>
              <td>{one.rateCode}</td>
              <td>{treatmentText(one)}</td>
              <td>{periodText(one)}</td>
              <td>{stateText(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
