import { useEffect, useMemo, useRef } from 'preact/hooks';

import { noServiceReason } from '../../access/messages.ts';
import { addDays } from '../../grid/days.ts';
import { Icon } from '../../icons.tsx';
import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { AssignedAll } from '../api.ts';
import type { FrontDesk } from '../front-desk.ts';
import type { BoardStay } from '../shapes.ts';
import { AssignAll } from './assign-all.ts';
import { assigning as words, unassignedReasons } from './messages.ts';

/** Days of arrival that can be chosen, today included. */
const DAYS = 8;

/** Who gets which room, and who none and why; then the button that does it. */
export function AssignAllPanel({ desk }: { desk: FrontDesk }) {
  const all = useMemo(() => new AssignAll(desk), [desk]);
  const form = useRef<HTMLFormElement>(null);
  const shown = all.shown.value;
  useEffect(() => void all.plan(desk.today.peek()), [all]);
  useEffect(() => form.current?.querySelector<HTMLElement>('button.primary')?.focus(), [shown]);
  const today = desk.today.value;
  const { assigned = [], unassigned = [] } = shown?.answer ?? {};
  const canAssign = shown !== undefined && !shown.done && assigned.length > 0;
  return (
    <form
      ref={form}
      class="assign-all"
      onSubmit={(event) => {
        event.preventDefault();
        if (canAssign && noServiceReason(desk.connection.value) === undefined) void all.assign();
      }}
    >
      <label>
        {words.until}
        <select value={all.until.value} onChange={(event) => void all.plan(event.currentTarget.value)}>
          {Array.from({ length: DAYS }, (_, ahead) => (
            <option key={ahead} value={addDays(today, ahead)}>
              {words.day(today, ahead)}
            </option>
          ))}
        </select>
      </label>
      {all.busy.value && <p class="muted">{shown ? words.assigning : words.planning}</p>}
      {all.error.value !== undefined && <p class="form-error">{all.error.value}</p>}
      {shown && (
        <>
          <Summary answer={shown.answer} done={shown.done} />
          <Given answer={shown.answer} stays={shown.stays} otherwise={all.otherwise.value} />
          {unassigned.length > 0 && <Without desk={desk} answer={shown.answer} stays={shown.stays} />}
        </>
      )}
      <div class="actions">
        {canAssign && (
          <ServiceButton desk={desk} type="submit" class="primary" disabled={all.busy.value}>
            {words.assign(assigned.length)}
          </ServiceButton>
        )}
        <button type="button" onClick={() => desk.drawer.close()}>
          {shown?.done ? words.close : words.notNow}
        </button>
        <WhyDisabled desk={desk} />
      </div>
    </form>
  );
}

function Summary({ answer, done }: { answer: AssignedAll; done: boolean }) {
  const { assigned, unassigned } = answer;
  if (done)
    return (
      <p class="done">
        <Icon name="good" />
        {words.done(answer)}
      </p>
    );
  if (assigned.length + unassigned.length === 0) return <p>{words.nobody}</p>;
  return (
    <p class="assign-summary">
      {words.wouldGet(assigned.length)}
      {unassigned.length > 0 && `; ${words.wouldNot(unassigned.length)}`}
    </p>
  );
}

type Listed = { answer: AssignedAll; stays: ReadonlyMap<string, BoardStay> };

function Given({ answer: { assigned }, stays, otherwise }: Listed & { otherwise: ReadonlySet<string> }) {
  if (assigned.length === 0) return null;
  return (
    <table class="assigned">
      <thead>
        <tr>
          <th scope="col">{words.room}</th>
          <th scope="col">{words.guest}</th>
        </tr>
      </thead>
      <tbody>
        {assigned.map((one) => (
          <tr key={one.reservationId}>
            <th scope="row">{one.roomNumber}</th>
            <td>
              <strong>{stays.get(one.reservationId)?.name ?? words.someone}</strong>
              <small>{words.stay(one.checkIn, one.checkOut, nightsOf(one))}</small>
              {remarksOf(one, otherwise).map((text) => (
                <small key={text} class="remark">
                  {text}
                </small>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Without({ desk, answer: { unassigned }, stays }: Listed & { desk: FrontDesk }) {
  return (
    <section aria-labelledby="without-room">
      <h3 id="without-room">{words.without}</h3>
      <ul class="without">
        {unassigned.map(({ reservationId, reason }) => {
          const name = stays.get(reservationId)?.name ?? words.someone;
          return (
            <li key={reservationId}>
              <button
                type="button"
                aria-label={words.open(name)}
                onClick={() => void desk.drawer.open(reservationId)}
              >
                {name}
              </button>
              <small>{unassignedReasons[reason]}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Assigned = AssignedAll['assigned'][number];

function remarksOf(one: Assigned, otherwise: ReadonlySet<string>): string[] {
  const { upgraded, roomType, previousRoomNumber, unmetWishes, reservationId } = one;
  return [
    ...(upgraded ? [words.upgraded(roomType)] : []),
    ...(previousRoomNumber === null ? [] : [words.makesRoom(previousRoomNumber)]),
    ...unmetWishes.map(
      ({ kind, value, text }) => `${[kind, value].filter(Boolean).join(' ').toLowerCase()}: ${text}`,
    ),
    ...(otherwise.has(reservationId) ? [words.otherwise] : []),
  ];
}

function nightsOf({ checkIn, checkOut }: Assigned): number {
  return Math.max(1, (Date.parse(checkOut) - Date.parse(checkIn)) / 86_400_000);
}
