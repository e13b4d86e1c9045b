import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { PropertyId } from '../../../../src/kernel/rules/ids.ts';
import { noServiceReason } from '../../access/messages.ts';
import { dayRange } from '../../grid/days.ts';
import { Icon } from '../../icons.tsx';
import { moneyText } from '../../messages.ts';
import { ServiceButton, WhyDisabled } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { GuestFields } from './guest-fields.tsx';
import { bookingMessages as words, bookingTitles, planText } from './messages.ts';
import { NewReservation } from './new-reservation.ts';
import { OfferFields } from './offer-fields.tsx';
import { tooMany } from './offers.ts';
import { PaymentFields } from './payment-fields.tsx';
import type { Prefill } from './shapes.ts';
import { StayFieldset } from './stay-fields.tsx';

type Props = { desk: FrontDesk; propertyId: PropertyId; prefill: Prefill };

/** The form for a new reservation or a walk-in, beside the chart. */
export function Panel({ desk, propertyId, prefill }: Props) {
  const state = useMemo(() => new NewReservation(desk, propertyId, prefill), []);
  const panel = useRef<HTMLElement>(null);
  const form = state.form.value;
  useEffect(() => {
    const first = form.kind === 'walk-in' ? 'firstName' : prefill.checkIn === undefined ? 'checkIn' : 'findGuest';
    panel.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, []);
  const field = state.rejection.value?.field;
  useEffect(() => {
    if (field !== undefined) panel.current?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)?.focus();
  }, [state.rejection.value]);
  const title = bookingTitles[form.kind];
  return (
    <section ref={panel} class="booking-panel" aria-label={title}>
      <div class="drawer-head">
        <h2>{title}</h2>
        {state.isDraft.value && (
          <span class="draft">
            <small>{words.draft}</small>
            <button type="button" class="quiet" onClick={() => state.startOver()}>
              {words.startOver}
            </button>
          </span>
        )}
        <button type="button" class="quiet" aria-label={words.close} onClick={() => desk.booking.close()}>
          <Icon name="bad" />
        </button>
      </div>
      <form
        data-own-draft
        class="booking-form"
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          if (noServiceReason(desk.connection.value) === undefined) void state.book();
        }}
      >
        {state.isWalkIn && <GuestFields state={state} />}
        <StayFieldset state={state} />
        <OfferFields state={state} />
        {!state.isWalkIn && <GuestFields state={state} />}
        <PaymentFields state={state} />
        <Outcome state={state} />
      </form>
    </section>
  );
}

/** What the button does, why it was refused, and the button. */
function Outcome({ state }: { state: NewReservation }) {
  const { desk } = state;
  const form = state.form.value;
  const chosen = state.chosen.value;
  const short = tooMany(chosen);
  const names = desk.names.value;
  return (
    <div class="booking-outcome">
      <div role="status">
        {short && (
          <p class="form-error">
            {names.get(short.roomType) ?? short.roomType}: {words.left(short.left)}
          </p>
        )}
        {state.hasNoRoom && <p class="form-error">{words.noReady}</p>}
        {state.done.value !== undefined && <p class="done">{state.done.value}</p>}
        {chosen.length > 0 && !short && (
          <p class="plan">
            <span class="visually-hidden">{words.what}: </span>
            {planText({
              pays: state.pays.value,
              today: desk.today.value,
              form: { ...form, roomNumber: state.roomNumber.value },
              chosen,
              names,
              companies: state.companies.value,
            })}
          </p>
        )}
      </div>
      <Refused state={state} />
      {state.isWalkIn && (
        <label class="check">
          <input
            type="checkbox"
            required
            checked={state.identified.value}
            onChange={(event) => (state.identified.value = event.currentTarget.checked)}
          />
          {words.identified}
        </label>
      )}
      <div class="actions">
        {chosen.length > 0 && (
          <strong class="booking-total">{moneyText(state.total.value, chosen[0]!.currency)}</strong>
        )}
        <ServiceButton desk={desk} type="submit" class="primary" disabled={!state.isReady}>
          {state.busy.value ? words.busy : state.isWalkIn ? words.bookIn : words.book}
        </ServiceButton>
        <WhyDisabled desk={desk} />
      </div>
    </div>
  );
}

function Refused({ state }: { state: NewReservation }) {
  const rejection = state.rejection.value;
  const names = state.desk.names.value;
  return (
    <div role="alert">
      {rejection && (
        <>
          <p class="form-error">{rejection.text}</p>
          {rejection.alternatives.length > 0 && (
            <>
              <p id="booking-alternatives">{words.alternatives}</p>
              <ul class="alternatives" aria-labelledby="booking-alternatives">
                {rejection.alternatives.map((one) => (
                  <li key={`${one.roomType} ${one.checkIn} ${one.checkOut}`}>
                    <button type="button" onClick={() => state.take(one)}>
                      {names.get(one.roomType) ?? one.roomType}, {dayRange(one.checkIn, one.checkOut)}
                    </button>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </div>
  );
}
