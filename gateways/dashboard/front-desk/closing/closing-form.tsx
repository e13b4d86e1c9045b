import { useEffect, useMemo, useRef } from 'preact/hooks';

import { addDays } from '../../grid/days.ts';
import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import type { MaintenanceView } from '../shapes.ts';
import { ClosingDraft } from './closing-draft.ts';
import { closing as words } from './messages.ts';
import type { ClosedNights } from './what-follows.ts';

/** Days that can be chosen with one click; other ones are dates. */
const NEAR_DAYS = 7;
const KINDS = ['OUT_OF_ORDER', 'OUT_OF_SERVICE'] as const;

type Props = {
  desk: FrontDesk;
  roomNumber: string;
  /** Nights to begin with; the coming one when absent. */
  nights?: ClosedNights;
  maintenance?: MaintenanceView;
  /** Leaves the form, done or not. */
  leave: () => void;
};

/** Takes a room out of order for some nights, or changes them; says first what follows. */
export function ClosingForm({ desk, roomNumber, nights, maintenance, leave }: Props) {
  const draft = useMemo(
    () => new ClosingDraft(desk, roomNumber, { ...(nights && { nights }), ...(maintenance && { maintenance }) }),
    [],
  );
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('.near input:checked, .near input')?.focus(), []);
  if (!desk.screen.value.rooms.has(roomNumber)) return null;
  return (
    <form
      ref={form}
      class="confirm-form closing-form"
      aria-label={words.title(roomNumber)}
      onSubmit={(event) => {
        event.preventDefault();
        void draft.send().then((isStored) => isStored && leave());
      }}
    >
      <UntilChoice draft={draft} />
      <Dates draft={draft} />
      <fieldset class="kinds">
        <legend>{words.kind}</legend>
        {KINDS.map((kind) => (
          <label key={kind} class="check">
            <input
              type="radio"
              name="kind"
              checked={draft.kind.value === kind}
              onChange={() => (draft.kind.value = kind)}
            />
            {words.kinds[kind]}
          </label>
        ))}
      </fieldset>
      <label>
        {words.reason}
        <input
          type="text"
          required
          maxLength={500}
          value={draft.reason.value}
          onInput={(event) => (draft.reason.value = event.currentTarget.value)}
        />
      </label>
      <Effects desk={desk} draft={draft} />
      <div class="actions">
        <ServiceButton desk={desk} type="submit" class="primary" disabled={draft.busy.value || !draft.isWhole.value}>
          {maintenance ? words.change : words.confirm(draft.kind.value, draft.effects.value?.back)}
        </ServiceButton>
        <button type="button" onClick={leave}>
          {words.notNow}
        </button>
        <WhyDisabled desk={desk} />
      </div>
    </form>
  );
}

/** The days on which the room may be back, one click each. */
function UntilChoice({ draft: { from, to, earliest } }: { draft: ClosingDraft }) {
  const first = from.value === '' ? earliest : from.value;
  return (
    <fieldset class="near">
      <legend>{words.until}</legend>
      {Array.from({ length: NEAR_DAYS }, (_, night) => addDays(first, night)).map((night) => (
        <label key={night}>
          <input type="radio" name="until" checked={to.value === night} onChange={() => (to.value = night)} />
          <span>{words.day(addDays(night, 1))}</span>
        </label>
      ))}
      <label>
        <input type="radio" name="until" checked={to.value === ''} onChange={() => (to.value = '')} />
        <span>{words.noEnd}</span>
      </label>
    </fieldset>
  );
}

function Dates({ draft: { from, to, earliest } }: { draft: ClosingDraft }) {
  return (
    <div class="dates">
      <label>
        {words.from}
        <input
          type="date"
          required
          min={earliest}
          value={from.value}
          onChange={(event) => (from.value = event.currentTarget.value)}
        />
      </label>
      <label>
        {words.to}
        <input
          type="date"
          min={from.value}
          value={to.value}
          title={words.toHint}
          onChange={(event) => (to.value = event.currentTarget.value)}
        />
      </label>
    </div>
  );
}

/** What follows, what is in the way, and why it failed. */
function Effects({ desk, draft }: { desk: FrontDesk; draft: ClosingDraft }) {
  const { roomNumber } = draft;
  const effects = draft.effects.value;
  const roomType = desk.screen.value.rooms.get(roomNumber)?.roomType ?? '';
  return (
    <>
      {effects && (
        <ul class="effects">
          <li>
            <strong>{words.effect(roomNumber, draft.kind.value, draft.nights, effects)}</strong>
          </li>
          {effects.inRoom.map((stay) => (
            <li key={stay.reservationId} class="form-error">
              {words.inRoom(stay)}
            </li>
          ))}
          {effects.short.length > 0 && <li class="form-error">{words.short(roomType, effects.short)}</li>}
        </ul>
      )}
      {draft.error.value !== undefined && (
        <p class="form-error" role="alert">
          {draft.error.value}
        </p>
      )}
    </>
  );
}
