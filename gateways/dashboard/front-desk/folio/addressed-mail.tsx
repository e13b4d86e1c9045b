import { signal } from '@preact/signals';

import { MoneyAttempt } from './attempt.ts';
import { mailError, mailWords as words } from './mail-messages.ts';
import type { StayMoney } from './stay-money.ts';

/** Something that somebody is about to mail, to the address on record or to another one. */
export class AddressedMail<Sent extends { to: string }> {
  /** As typed; until then it is the address on record. */
  readonly typed = signal<string | undefined>(undefined);
  readonly attempt: MoneyAttempt<Sent>;

  constructor(stayMoney: StayMoney) {
    this.attempt = new MoneyAttempt(stayMoney.again, mailError);
  }

  /** What stands in the field. */
  get shown(): string {
    return this.typed.value ?? this.attempt.preview.value?.to ?? '';
  }

  get address(): string {
    return this.shown.trim();
  }
}

/** The address of a mail. */
export function AddressField<Sent extends { to: string }>({ mail }: { mail: AddressedMail<Sent> }) {
  return (
    <label>
      {words.to}
      <input
        type="email"
        maxLength={254}
        autocomplete="off"
        value={mail.shown}
        onInput={({ currentTarget: at }) => {
          mail.typed.value = at.value;
          mail.attempt.error.value = undefined;
        }}
      />
    </label>
  );
}
