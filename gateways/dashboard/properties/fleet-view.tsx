import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Icon } from '../icons.tsx';
import { announceConnection, nightsShown, NOT_KNOWN, signed } from '../messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { Fleet, FLEET_COLUMNS, type FleetColumn, type FleetLine } from './fleet.ts';
import { fleet as words } from './messages.ts';

/** All properties of the tenant, with those that need attention. */
export function FleetView({ desk, onOpen }: { desk: RevenueStore; onOpen: (propertyId: string) => void }) {
  const shown = useSignal<Fleet | undefined>(undefined);
  const properties = desk.properties.value;
  useEffect(() => {
    const fleet = new Fleet(desk.user, properties, () => desk.serverNow());
    shown.value = fleet;
    return () => fleet.close();
  }, [desk, properties]);
  const fleet = shown.value;
  if (!fleet) return null;
  const state = fleet.state.value;
  return (
    <main class="fleet">
      <div class="head">
        <div>
          <h1>{words.title}</h1>
          <p class="muted">
            {announceConnection(state.kind === 'live' ? { ...state, lagMs: undefined } : state, 0, undefined)}.{' '}
            {words.units(nightsShown(fleet.nights))}
          </p>
        </div>
        {fleet.pages > 1 && <Pages fleet={fleet} />}
      </div>
      <div class="fleet-table" role="region" aria-label={words.title} tabIndex={0}>
        <table>
          <caption class="visually-hidden">{words.caption}</caption>
          <thead>
            <tr>
              {FLEET_COLUMNS.map((column) => (
                <Head key={column} fleet={fleet} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {fleet.lines.value.map((line) => (
              <Line key={line.property.propertyId} line={line} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </div>
    </main>
  );
}

function Head({ fleet, column }: { fleet: Fleet; column: FleetColumn }) {
  const { by, descending } = fleet.sort.value;
  const isSorted = by === column;
  return (
    <th scope="col" aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="quiet" onClick={() => fleet.sortBy(column)}>
        {words.columns[column]} <span aria-hidden="true">{isSorted ? (descending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}

function Line({ line, onOpen }: { line: FleetLine; onOpen: (propertyId: string) => void }) {
  const { propertyId, name } = line.property;
  const figures = line.figures.value;
  return (
    <tr>
      <th scope="row">
        <button type="button" class="quiet" onClick={() => onOpen(propertyId)}>
          {name}
        </button>
      </th>
      {(['tonight', 'week', 'month'] as const).map((share) => (
        <td key={share}>{figures ? <Share percent={figures[share]} /> : NOT_KNOWN}</td>
      ))}
      <td>{figures ? signed(figures.pickup) : NOT_KNOWN}</td>
      <td>{figures?.cancelled ?? NOT_KNOWN}</td>
      <td>{figures && <Alerts over={figures.over} full={figures.full} />}</td>
    </tr>
  );
}

function Share({ percent }: { percent: number }) {
  return (
    <span class="share" style={{ '--sold-share': String(Math.min(1, percent / 100)) }}>
      <span class="amount">{words.percent(percent)}</span>
      <span class="level" aria-hidden="true" />
    </span>
  );
}

function Alerts({ over, full }: { over: number; full: number }) {
  if (over === 0 && full === 0) return <span class="muted">{words.nothing}</span>;
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

function Pages({ fleet }: { fleet: Fleet }) {
  const page = fleet.page.value;
  return (
    <div class="range">
      <button
        type="button"
        class="quiet"
        aria-label={words.before}
        disabled={page === 0}
        onClick={() => fleet.showPage(page - 1)}
      >
        <Icon name="back" />
      </button>
      <span>{words.pageOf(page + 1, fleet.pages)}</span>
      <button
        type="button"
        class="quiet"
        aria-label={words.after}
        disabled={page + 1 >= fleet.pages}
        onClick={() => fleet.showPage(page + 1)}
      >
        <Icon name="forward" />
      </button>
    </div>
  );
}
