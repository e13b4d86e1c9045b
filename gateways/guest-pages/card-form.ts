import { html, type Markup } from './html.ts';
import type { Texts } from './texts.ts';

/** How cards are entered: by the form of Stripe, or in development by the cards of the simulator. */
export type CardEntry = { stripeKey?: string; isSimulated: boolean };

/** Cards of the simulator (docs/reference/reservations.md#simulated-cards). */
const TEST_CARDS = [
  ['tok_visa', 'card.accepted'],
  ['tok_declined', 'card.declined'],
  ['tok_slow', 'card.slow'],
] as const;

/** Fields of a form that give it `cardToken`: a card number is never sent to this service. */
export function cardFields(texts: Texts, { stripeKey, isSimulated }: CardEntry): Markup {
  if (stripeKey !== undefined)
    return html`<div id="card" data-card="stripe"></div>
      <input type="hidden" name="cardToken" />
      <p class="fault" id="card-fault" role="alert"></p>
      <noscript><p class="note">${texts.text('card.noScript')}</p></noscript>`;
  if (!isSimulated) return html`<p class="note">${texts.text('card.none')}</p>`;
  return html`<fieldset>
    <legend>${texts.text('card.tests')}</legend>
    ${TEST_CARDS.map(
      ([token, key], index) =>
        html`<label class="choose"
          ><input type="radio" name="cardToken" value="${token}" ${index === 0 && html` checked`} />
          ${texts.text(key)}</label
        >`,
    )}
  </fieldset>`;
}

/** Whether a card can be entered at all. */
export const takesCards = ({ stripeKey, isSimulated }: CardEntry): boolean => stripeKey !== undefined || isSimulated;
