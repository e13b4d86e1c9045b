import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { terminalSlip } from '../../../../src/money/contracts/payments.ts';
import { holdsCardNumber } from '../../../../src/money/rules/card-number.ts';
import { textsOf } from '../../language/texts.ts';

const say = textsOf('front-desk-folio');

const words = {
  reference: say('Number of the slip'),
  hint: say('Charge the card at the terminal first. The slip says the number; never type a card number here.'),
  cardLast4: say('Last 4 digits of the card'),
};

/** Slip of a card terminal, as it is sent. */
export type SentSlip = WireOf<typeof terminalSlip>;
/** The same as it is typed. */
type TypedSlip = { reference: string; cardLast4: string };
export const NO_SLIP: TypedSlip = { reference: '', cardLast4: '' };

/** The slip that was typed; `undefined` until it can be sent. */
export function slipOf({ reference, cardLast4 }: TypedSlip): SentSlip | undefined {
  const number = reference.trim();
  const digits = cardLast4.trim();
  if (number === '' || holdsCardNumber(number) || !/^(\d{4})?$/.test(digits)) return undefined;
  return { reference: number, ...(digits !== '' && { cardLast4: digits }) };
}

type Props = { slip: TypedSlip; onType: (slip: TypedSlip) => void };

/** What the slip of a card terminal says of a payment that the terminal has taken. */
export function TerminalFields({ slip, onType }: Props) {
  return (
    <>
      <label class="field">
        {words.reference}
        <input
          type="text"
          name="reference"
          required
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          value={slip.reference}
          onInput={({ currentTarget: at }) => onType({ ...slip, reference: at.value })}
        />
        <small>{words.hint}</small>
      </label>
      <label class="short">
        {words.cardLast4}
        <input
          type="text"
          name="cardLast4"
          inputMode="numeric"
          autocomplete="off"
          pattern="[0-9]{4}"
          maxLength={4}
          value={slip.cardLast4}
          onInput={({ currentTarget: at }) => onType({ ...slip, cardLast4: at.value })}
        />
      </label>
    </>
  );
}
