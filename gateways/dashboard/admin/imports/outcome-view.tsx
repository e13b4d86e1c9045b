import { pageUrl } from '../../address.ts';
import { locale } from '../../language/texts.ts';
import { network } from '../../live/network.ts';
import { ServiceButton } from '../../service-button.tsx';
import { CommandBox } from '../form/form-parts.tsx';
import type { ImportDesk, ImportDetail } from './import-desk.ts';
import { imports as words } from './messages.ts';
import { lineReasonText } from './reason-texts.ts';
import { Reconciliation } from './reconciliation-view.tsx';
import { LinesReport } from './report-view.tsx';

type Props = { desk: ImportDesk; shown: ImportDetail };
const DESK = { connection: network };
const whole = new Intl.NumberFormat(locale);

/** A run: how far it is, then what it did, and what comes next. */
export function OutcomeStep({ desk, shown }: Props) {
  if (shown.status === 'RUNNING') return <Running shown={shown} />;
  const { created, changed, unchanged, refused } = shown.counts;
  const stored = created + changed;
  return (
    <>
      {shown.status === 'FAILED' ? (
        <p role="status" class="admin-trouble">
          {words.failed(shown.failure === 'An internal error.' ? words.internal : (shown.failure ?? ''))}
        </p>
      ) : (
        <p role="status">
          {(shown.dryRun ? words.dryRunOver : words.over)(stored, refused)}{' '}
          {unchanged > 0 && words.unchanged(unchanged)}
        </p>
      )}
      {shown.dryRun || shown.status === 'FAILED' ? (
        <Decide desk={desk} shown={shown} stored={stored} />
      ) : (
        <Onwards desk={desk} refused={refused} />
      )}
      {shown.reconciliation && <Reconciliation desk={desk} of={shown.reconciliation} />}
      <Problems shown={shown} />
      {shown.done > 0 && <LinesReport key={shown.finishedAt} desk={desk} shown={shown} />}
    </>
  );
}

function Running({ shown: { dryRun, done, lines } }: { shown: ImportDetail }) {
  const name = dryRun ? words.running.dryRun : words.running.real;
  return (
    <>
      <p role="status">{name}</p>
      <div class="imports-progress">
        <progress aria-label={name} value={done} max={Math.max(1, lines)} />
        <span>{words.progress(done, lines)}</span>
      </div>
      <p class="muted">{words.runningHint}</p>
    </>
  );
}

/** After a dry run: import it, or change the columns and try again. */
function Decide({ desk, shown, stored }: Props & { stored: number }) {
  const property = desk.admin.property.value?.name ?? '';
  const isFailed = shown.status === 'FAILED';
  const isOff = desk.busy.value;
  const isEmpty = !isFailed && stored === 0 && shown.counts.unchanged === 0;
  return (
    <>
      {!isFailed && <p>{isEmpty ? words.nothingToImport : words.importLine(stored, property)}</p>}
      <div class="verbs">
        {isFailed ? (
          <ServiceButton desk={DESK} class="primary" disabled={isOff} onClick={() => void desk.run(shown.dryRun)}>
            {words.retry}
          </ServiceButton>
        ) : (
          <ServiceButton
            desk={DESK}
            class={isEmpty ? undefined : 'primary'}
            disabled={isOff || isEmpty}
            onClick={() => void desk.run(false)}
          >
            {words.importNow}
          </ServiceButton>
        )}
        <ServiceButton desk={DESK} reads disabled={isOff} onClick={() => void desk.openMapping(true)}>
          {words.changeMapping}
        </ServiceButton>
        <button type="button" onClick={() => void desk.open(undefined)}>
          {words.anotherFile}
        </button>
        <button type="button" onClick={() => desk.saveMapping()}>
          {words.saveMapping}
        </button>
      </div>
      <CommandBox text={() => desk.command(false)} />
    </>
  );
}

/** After the import: the pages that have it now. */
function Onwards({ desk, refused }: { desk: ImportDesk; refused: number }) {
  const property = desk.admin.property.value?.propertyId;
  return (
    <nav aria-label={words.next}>
      {refused > 0 && <p>{words.nextRefused}</p>}
      <div class="verbs">
        <a href={pageUrl('/revenue', { property })}>{words.toRevenue}</a>
        <a href={pageUrl('/desk', { property })}>{words.toDesk}</a>
        <a href={pageUrl('/reports', { property })}>{words.toReports}</a>
        <button type="button" onClick={() => void desk.open(undefined)}>
          {words.anotherFile}
        </button>
        <button type="button" onClick={() => desk.saveMapping()}>
          {words.saveMapping}
        </button>
      </div>
    </nav>
  );
}

function Problems({ shown: { problems, counts } }: { shown: ImportDetail }) {
  if (problems.length === 0) return counts.refused === 0 ? <p>{words.noneRefused}</p> : null;
  return (
    <section aria-labelledby="imports-reasons">
      <h2 id="imports-reasons">{words.reasons}</h2>
      <div class="admin-table" tabIndex={0} role="region" aria-label={words.table(words.reasons)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.reason}</th>
              <th scope="col" class="amount">
                {words.lines}
              </th>
              <th scope="col" class="amount">
                {words.firstLine}
              </th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ code, reason, lines, firstLine }) => (
              <tr key={`${code} ${reason}`}>
                <td>{lineReasonText(reason)}</td>
                <td class="amount">{whole.format(lines)}</td>
                <td class="amount">{whole.format(firstLine)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
