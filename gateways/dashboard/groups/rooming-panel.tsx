import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Icon } from '../icons.tsx';
import { ServiceButton, WhyDisabled } from '../service-button.tsx';
import type { GroupView } from './api.ts';
import type { GroupsStore } from './groups.ts';
import { amountText, rooming as words, stayText } from './messages.ts';
import type { ListLine, ListRow } from './rooming-list.ts';
import { Rooming } from './rooming.ts';

/** A rooming list of the open group. */
export function RoomingPanel({ groups }: { groups: GroupsStore }) {
  const group = groups.group.value;
  return group ? <RoomingForm key={group.groupId} groups={groups} group={group} /> : null;
}

function RoomingForm({ groups, group }: { groups: GroupsStore; group: GroupView }) {
  const state = useMemo(() => new Rooming(groups, group), []);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  return (
    <form
      ref={form}
      class="groups-form"
      onSubmit={(event) => {
        event.preventDefault();
        void state.book();
      }}
    >
      <label class="field">
        {words.paste}
        <textarea
          rows={6}
          spellcheck={false}
          aria-describedby="rooming-hint"
          value={state.text.value}
          onInput={(event) => state.type(event.currentTarget.value)}
        />
      </label>
      <small id="rooming-hint">{words.hint}</small>
      <label class="field">
        {words.file}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => void state.takeFile(event.currentTarget.files?.[0])}
        />
      </label>
      <Lines state={state} />
      <Outcome state={state} />
    </form>
  );
}

/** The list as it was understood, with what the service says of each line. */
function Lines({ state }: { state: Rooming }) {
  const lines = state.lines.value;
  const isChecked = state.report.value !== undefined;
  if (lines.length === 0) return null;
  return (
    <div class="groups-table" role="region" aria-label={words.lines} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{words.lines}</caption>
        <thead>
          <tr>
            <th scope="col" class="amount">
              {words.line}
            </th>
            <th scope="col">{words.guest}</th>
            <th scope="col">{words.stay}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.line} line={line} fault={state.faults.value.get(line.line)} isChecked={isChecked} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type LineProps = { line: ListLine; fault: string | undefined; isChecked: boolean };

function Line({ line: { line, row }, fault, isChecked }: LineProps) {
  return (
    <tr data-bad={fault !== undefined || undefined}>
      <td class="amount">{line}</td>
      <td>
        {[row.firstName, row.lastName].filter(Boolean).join(' ')}
        <span class="verdict">
          {isChecked && (
            <>
              <Icon name={fault === undefined ? 'good' : 'bad'} /> {fault === undefined ? words.fits : words.doesNot}
              {fault !== undefined && `: ${fault}`}
            </>
          )}
        </span>
      </td>
      <td>
        {[row.roomType, datesText(row), row.adults === undefined ? '' : `${row.adults}+${row.children ?? 0}`]
          .filter(Boolean)
          .join(', ')}
      </td>
    </tr>
  );
}

/** Dates as they were understood, or as they were written. */
function datesText({ checkIn = '', checkOut = '' }: ListRow): string {
  const isDay = (text: string | number): text is string => /^\d{4}-\d\d-\d\d$/.test(String(text));
  return isDay(checkIn) && isDay(checkOut) ? stayText(checkIn, checkOut) : `${checkIn} – ${checkOut}`;
}

function Outcome({ state }: { state: Rooming }) {
  const { groups } = state;
  const count = state.lines.value.length;
  const report = state.report.value;
  const booked = state.booked.value;
  return (
    <div class="groups-outcome">
      <p role="status">
        {state.checking.value && words.checking}
        {report?.bookable === true &&
          words.plan(report.rows, amountText(report.totalAmount ?? 0, report.currency ?? ''))}
        {report?.bookable === false && words.bad(state.faults.value.size, count)}
        {booked && groups.done.value}
      </p>
      <div role="alert">{state.error.value !== undefined && <p class="form-error">{state.error.value}</p>}</div>
      {booked && (
        <ul class="booked" aria-label={words.numbers}>
          {booked.reservations.map(({ reservationId, firstName, lastName, confirmationNumber }) => (
            <li key={reservationId}>
              {firstName} {lastName} <span>{confirmationNumber}</span>
            </li>
          ))}
        </ul>
      )}
      {!booked && (
        <div class="actions">
          <ServiceButton
            desk={groups}
            type="submit"
            class="primary"
            disabled={report?.bookable !== true || state.busy.value}
          >
            {state.busy.value ? words.booking : words.book(count)}
          </ServiceButton>
          <WhyDisabled desk={groups} />
        </div>
      )}
    </div>
  );
}
