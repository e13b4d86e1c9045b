import { pageUrl } from '../address.ts';
import { csvBlob, csvText, saveFile } from '../charts/file.ts';
import { Icon } from '../icons.tsx';
import { announceConnection, nightsShown, NOT_KNOWN, shortMoney, signed, soldOf } from '../messages.ts';
import { ServiceButton } from '../service-button.tsx';
import { type Fleet, FLEET_COLUMNS, type FleetColumn, type FleetLine } from './fleet.ts';
import { fleet as words } from './messages.ts';

/** One line a property, sorted and filtered, live. */
export function FleetView({ fleet }: { fleet: Fleet }) {
  const state = fleet.state.value;
  const lines = fleet.lines.value;
  const { count, ...nights } = fleet.nights;
  return (
    <main class="fleet">
      <div class="head">
        <div>
          <h1>{words.title}</h1>
          <p class="muted">
            {announceConnection(state.kind === 'live' ? { ...state, lagMs: undefined } : state, 0, undefined)}.{' '}
            {words.units(count, nightsShown(nights))}
          </p>
        </div>
        {fleet.pages > 1 && <Pages fleet={fleet} />}
      </div>
      <div class="fleet-tools">
        <label>
          {words.filter}
          <input
            type="search"
            value={fleet.filter.value}
            onInput={(event) => fleet.filterBy(event.currentTarget.value)}
          />
        </label>
        <span role="status">{words.found(lines.length, fleet.count)}</span>
        <button type="button" onClick={() => save(fleet)}>
          {words.exportCsv}
        </button>
      </div>
      <div class="fleet-table" role="region" aria-label={words.title} tabIndex={0}>
        <table>
          <caption class="visually-hidden">{words.caption}</caption>
          <thead>
            <tr>
              {columnsOf(fleet).map((column) => (
                <Head key={column} fleet={fleet} column={column} />
              ))}
              <th scope="col">{words.spark}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line key={line.property.propertyId} line={line} seesAmounts={fleet.seesAmounts} />
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p class="fleet-none">{fleet.count === 0 ? words.none : words.noneFound}</p>}
      </div>
    </main>
  );
}

const columnsOf = (fleet: Fleet): readonly FleetColumn[] =>
  fleet.seesAmounts ? FLEET_COLUMNS : FLEET_COLUMNS.filter((column) => column !== 'adr' && column !== 'revPar');

function Head({ fleet, column }: { fleet: Fleet; column: FleetColumn }) {
  const { by, descending } = fleet.sort.value;
  const isSorted = by === column;
  return (
    <th scope="col" data-column={column} aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="quiet" onClick={() => fleet.sortBy(column)}>
        {words.columns[column]} <span aria-hidden="true">{isSorted ? (descending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}

function Line({ line, seesAmounts }: { line: FleetLine; seesAmounts: boolean }) {
  const { propertyId, name } = line.property;
  const figures = line.figures.value;
  const amount = (value: number | undefined): string =>
    value === undefined ? NOT_KNOWN : shortMoney(value, figures?.currency ?? '');
  return (
    <tr>
      <th scope="row">
        <a href={pageUrl('/revenue', { property: propertyId })}>{name}</a>
      </th>
      <td title={figures && soldOf(figures.sold, figures.rooms)}>
        {figures?.occupancy === undefined ? NOT_KNOWN : words.percent(figures.occupancy)}
      </td>
      {seesAmounts && <td>{amount(figures?.adr)}</td>}
      {seesAmounts && <td>{amount(figures?.revPar)}</td>}
      <td>{figures ? signed(figures.pickup) : NOT_KNOWN}</td>
      <td>{figures && <Alerts over={figures.over} full={figures.full} />}</td>
      <td>{figures && <Spark shares={figures.spark} />}</td>
    </tr>
  );
}

const WIDTH = 120;
const HEIGHT = 24;

/** Occupancy of the coming nights as a line. */
function Spark({ shares }: { shares: readonly number[] }) {
  if (shares.length === 0) return null;
  const step = WIDTH / Math.max(1, shares.length - 1);
  const points = shares.map((share, at) => `${at * step},${HEIGHT - 2 - Math.min(1, share) * (HEIGHT - 4)}`);
  const percent = (share: number): string => words.percent(share * 100);
  const label = words.sparkOf(percent(Math.min(...shares)), percent(Math.max(...shares)));
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Alerts({ over, full }: { over: number; full: number }) {
  if (over === 0 && full === 0) return <span class="muted">{words.noAlerts}</span>;
  return (
    <span class="alerts">
      {over > 0 && (
        <span class="alert">
          <Icon name="bad" /> {words.over(over)}
        </span>
      )}
      {full > 0 && <span>{words.full(full)}</span>}
    </span>
  );
}

/** Saves the shown lines in their order, with plain numbers. */
function save(fleet: Fleet): void {
  const { columns, file } = words;
  const seen = fleet.seesAmounts;
  const amounts = seen ? [columns.adr, columns.revPar, file.currency] : [];
  const head = [
    columns.name,
    file.sold,
    file.rooms,
    columns.occupancy,
    ...amounts,
    columns.pickup,
    file.over,
    file.full,
  ];
  const lines = fleet.lines.peek().map(({ property, figures }) => {
    const known = figures.peek();
    const ofAmounts = seen ? [known?.adr, known?.revPar, known?.currency] : [];
    const counts = [known?.sold, known?.rooms, known?.occupancy];
    return [property.name, ...counts, ...ofAmounts, known?.pickup, known?.over, known?.full];
  });
  saveFile(`properties-${fleet.nights.start}.csv`, csvBlob(csvText([head, ...lines])));
}

function Pages({ fleet }: { fleet: Fleet }) {
  const page = fleet.page.value;
  return (
    <div class="range">
      <ServiceButton
        desk={fleet}
        reads
        class="quiet"
        aria-label={words.before}
        disabled={page === 0}
        onClick={() => fleet.showPage(page - 1)}
      >
        <Icon name="back" />
      </ServiceButton>
      <span>{words.pageOf(page + 1, fleet.pages)}</span>
      <ServiceButton
        desk={fleet}
        reads
        class="quiet"
        aria-label={words.after}
        disabled={page + 1 >= fleet.pages}
        onClick={() => fleet.showPage(page + 1)}
      >
        <Icon name="forward" />
      </ServiceButton>
    </div>
  );
}
