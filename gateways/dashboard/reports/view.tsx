import { mayManage, signedInRole } from '../access/roles.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { longDay, momentText } from '../grid/days.ts';
import { Icon } from '../icons.tsx';
import { KeysHelp } from '../keys-help.tsx';
import { NetworkStatus } from '../live/network-status.tsx';
import { moneyText } from '../messages.ts';
import { TroubleNotice } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { needsAnswer, ServiceButton } from '../service-button.tsx';
import { Skeleton } from '../shell/skeleton.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { isWhole, REPORT_NAMES, type ReportLine, type ReportView } from './api.ts';
import { isAmount, isFigure, lineText, REPORT_COLUMNS } from './columns.ts';
import { columnTitles, reports as words, reportTitles } from './messages.ts';
import type { Reports } from './reports.ts';

type Props = { reports: Reports };

/** The lists that a hotel prints each morning: one at a time, in print layout. */
export function ReportsView({ reports, onSignOut }: Props & { onSignOut: () => void }) {
  const view = reports.view.value;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={reports} />
        <WorkspaceSwitch here="reports" />
        <NetworkStatus />
        <KeysHelp groups={[]} />
        <Who tenantId={reports.user.tenantId} role="" onSignOut={onSignOut} />
      </AppBar>
      <TroubleNotice trouble={reports.trouble.value} onSignOut={onSignOut} />
      <main class="reports">
        <Choice reports={reports} />
        <section class="report" aria-labelledby="report">
          <Head reports={reports} view={view} />
          {view && <Table view={view} />}
          {!view && reports.trouble.value === undefined && (
            <>
              <p role="status">{words.loading}</p>
              <Skeleton rows={8} />
            </>
          )}
        </section>
      </main>
    </>
  );
}

/** Selection of the list. */
function Choice({ reports }: Props) {
  return (
    <nav class="report-names" aria-label={words.lists}>
      {REPORT_NAMES.filter((name) => name !== 'revenue' || mayManage(signedInRole.value)).map((name) => (
        <ServiceButton
          key={name}
          desk={reports}
          reads
          class="quiet"
          aria-current={reports.report.value === name ? 'page' : undefined}
          onClick={() => reports.open(name)}
        >
          {reportTitles[name]}
        </ServiceButton>
      ))}
    </nav>
  );
}

/** Heading and actions of the list. */
function Head({ reports, view }: Props & { view: ReportView | undefined }) {
  return (
    <header class="report-head">
      <div>
        <h1 id="report">{reportTitles[reports.report.value]}</h1>
        <p>
          {reports.property.value?.name}
          {view && `, ${longDay(view.date)}`}
        </p>
        {view && (
          <p class="muted">
            {words.made(momentText(view.createdAt, reports.property.value?.timezone))}
            {view.date < view.businessDate && !isWhole(view.report) && `. ${words.past}`}
          </p>
        )}
        {view?.report === 'revenue' && <p class="muted">{words.counts}</p>}
      </div>
      <div class="report-actions">
        <ServiceButton desk={reports} reads class="quiet" aria-label={words.earlier} onClick={() => reports.step(-1)}>
          <Icon name="back" />
        </ServiceButton>
        <label>
          <span class="visually-hidden">{words.date}</span>
          <input
            type="date"
            {...needsAnswer(reports)}
            value={view?.date ?? reports.date.value}
            onChange={(event) => reports.show(event.currentTarget.value)}
          />
        </label>
        <ServiceButton desk={reports} reads class="quiet" aria-label={words.later} onClick={() => reports.step(1)}>
          <Icon name="forward" />
        </ServiceButton>
        <ServiceButton desk={reports} reads disabled={reports.date.value === ''} onClick={() => reports.show('')}>
          {words.today}
        </ServiceButton>
        <ServiceButton desk={reports} reads disabled={!view} onClick={() => void reports.export()}>
          {words.export}
        </ServiceButton>
        <button type="button" class="primary" disabled={!view} onClick={() => print()}>
          {words.print}
        </button>
      </div>
    </header>
  );
}

function Table({ view }: { view: ReportView }) {
  const { report, currency, otherCurrencies, nextCursor } = view;
  const columns = REPORT_COLUMNS[report];
  const others = otherCurrencies.flatMap((part) => (part.items ?? []).map((line) => inCurrency(line, part.currency)));
  const items = [...view.items, ...others];
  if (items.length === 0) return <p class="muted">{report === 'housekeeping' ? words.noRooms : words.none}</p>;
  return (
    <>
      <div class="report-table" role="region" aria-label={words.scroll(reportTitles[report])} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={isFigure(column) ? 'amount' : undefined}>
                  {columnTitles[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((line, index) => (
              <tr key={line['reservationId'] ?? index}>
                {columns.map((column) => (
                  <td key={column} class={isFigure(column) ? 'amount' : undefined}>
                    {lineText(column, line, currencyOf(line) ?? currency)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <Totals view={view} />
        </table>
      </div>
      {nextCursor && <p class="muted">{words.more(items.length, Number(view.totals['stays'] ?? items.length))}</p>}
    </>
  );
}

const inCurrency = (line: ReportLine, currency: string): ReportLine => ({ ...line, currency });

/** Currency of a line: a stay says its own. */
const currencyOf = ({ currency }: ReportLine): string | undefined =>
  typeof currency === 'string' ? currency : undefined;

/** Totals of the list, and those in other currencies: a label in the first cell, each amount under its column. */
function Totals({ view }: { view: ReportView }) {
  const { report, currency, totals, otherCurrencies } = view;
  const columns = REPORT_COLUMNS[report];
  const first = columns.findIndex(isFigure);
  const nameOf = (of: ReportLine): string =>
    isWhole(report) ? words.totalRevenue : words.total(Number(of['stays'] ?? 0));
  return (
    <tfoot>
      {[{ currency, totals }, ...otherCurrencies].map((part) => (
        <tr key={part.currency}>
          <th scope="row" colSpan={first}>
            {part.currency === currency ? nameOf(totals) : words.inCurrency(nameOf(part.totals), part.currency)}
          </th>
          {columns.slice(first).map((column) => (
            <td key={column} class="amount">
              {isAmount(column)
                ? moneyText(Number(part.totals[column] ?? 0), part.currency)
                : lineText(column, part.totals, part.currency)}
            </td>
          ))}
        </tr>
      ))}
    </tfoot>
  );
}
