import { textsOf } from '../../language/texts.ts';
import { Choice } from './form-parts.tsx';

const say = textsOf('front-desk');

const words = {
  testCards: say('Test cards'),
  token: say('Card token of the payment provider'),
  hint: say('The card reader or the payment page gives it. Never type a card number here.'),
};

/** Cards of the simulator, which takes them in development (docs/reference/reservations.md#simulated-cards). */
const TEST_CARDS = [
  { value: 'tok_visa', text: say('Accepted') },
  { value: 'tok_declined', text: say('Declined') },
  { value: 'tok_timeout', text: say('Answer lost') },
  { value: 'tok_slow', text: say('Slow') },
];

/** The token that a card form begins with: a card that is accepted, in development only. */
export const firstCardToken = (isDevelopment: boolean): string => (isDevelopment ? TEST_CARDS[0]!.value : '');

type Props = { isDevelopment: boolean; token: string; isRequired?: boolean; onToken: (token: string) => void };

/** A card by its token: card numbers are never typed here. */
export function CardTokenFields({ isDevelopment, token, isRequired = false, onToken }: Props) {
  return (
    <div class="card-fields" data-card>
      {isDevelopment && (
        <Choice legend={words.testCards} name="card" value={token} options={TEST_CARDS} onChoose={onToken} />
      )}
      <label class="field">
        {words.token}
        <input
          type="text"
          required={isRequired}
          autocomplete="off"
          spellcheck={false}
          maxLength={255}
          value={token}
          onInput={(event) => onToken(event.currentTarget.value)}
        />
        <small>{words.hint}</small>
      </label>
    </div>
  );
}
