import { CompanyField } from '../../properties/company-field.tsx';
import { CardTokenFields } from '../folio/card-fields.tsx';
import { TerminalFields } from '../folio/terminal-fields.tsx';
import { AT_HOTEL, bookingMessages as words, channelMessages, payMessages } from './messages.ts';
import type { NewReservation } from './new-reservation.ts';
import { paysFor } from './offers.ts';
import { CHANNELS, type Pays } from './shapes.ts';

type Props = { state: NewReservation };

/** Payment or guarantee, as the rate plan requires. */
export function PaymentFields({ state }: Props) {
  const form = state.form.value;
  return (
    <fieldset class="payment">
      <legend>{words.payment}</legend>
      {state.needsCompany ? (
        <CompanyField
          companies={state.companies.value}
          companyId={form.companyId}
          onChoose={(companyId) => state.change({ companyId })}
        />
      ) : (
        <Methods state={state} />
      )}
      {!state.isWalkIn && (
        <label class="field">
          {words.channel}
          <select
            value={form.channel}
            onChange={(event) =>
              state.change({ channel: CHANNELS.find((one) => one === event.currentTarget.value) ?? 'PHONE' })
            }
          >
            {CHANNELS.map((channel) => (
              <option key={channel} value={channel}>
                {channelMessages[channel]}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

function Methods({ state }: Props) {
  const ways = paysFor(state.chosen.value, state.form.value.kind);
  // Who may pay at the hotel does so first; otherwise later means that the room is only held.
  const nameOf = (pays: Pays): string => (pays === 'LATER' && ways[0] === 'LATER' ? AT_HOTEL : payMessages[pays]);
  return (
    <>
      <div class="ways" role="radiogroup" aria-label={words.payment}>
        {ways.map((pays) => (
          <label key={pays}>
            <input
              type="radio"
              name="pays"
              checked={state.pays.value === pays}
              onChange={() => state.change({ pays })}
            />
            <span>{nameOf(pays)}</span>
          </label>
        ))}
      </div>
      {state.pays.value === 'CARD' && (
        <CardTokenFields
          isDevelopment={state.desk.access.config.development}
          token={state.cardToken.value}
          isRequired
          onToken={(token) => (state.cardToken.value = token)}
        />
      )}
      {state.pays.value === 'TERMINAL' && (
        <TerminalFields slip={state.slip.value} onType={(slip) => (state.slip.value = slip)} />
      )}
    </>
  );
}
