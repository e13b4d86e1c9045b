import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { moneyText } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import { AddressedMail, AddressField } from './addressed-mail.tsx';
import { AmountField, amountOf, MoneyForm, typedAmount } from './form-parts.tsx';
import { linkText, linkWords as words } from './link-messages.ts';
import { isAddress, mailError } from './mail-messages.ts';
import { PaymentForm } from './payment-form.tsx';
import type { PaymentLink } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';

/** A link that somebody is about to send. */
class LinkMail extends AddressedMail<PaymentLink> {
  /** As typed; until then it is all that is due when the guest pays. */
  readonly amount = signal<string | undefined>(undefined);
}

/** "Take payment" at the desk, or by a link that the guest gets. */
export function Payments(props: LevelProps) {
  const isLink = useSignal(false);
  const { desk } = props.stayMoney;
  if (isLink.value) return <PaymentLinkForm {...props} onBack={() => (isLink.value = false)} />;
  return (
    <>
      <PaymentForm {...props} />
      {props.stayMoney.open('GUEST') > 0 && (
        <p>
          <ServiceButton desk={desk} onClick={() => (isLink.value = true)}>
            {words.send}
          </ServiceButton>
        </p>
      )}
      <PaymentLinks stayMoney={props.stayMoney} />
    </>
  );
}

/** "Send payment link": names recipient and amount before it sends. */
function PaymentLinkForm({ stayMoney, onBack, onDone }: LevelProps) {
  const form = stayMoney.form('link', () => new LinkMail(stayMoney));
  const { api, etag, currency } = stayMoney;
  useEffect(() => form.attempt.tryOut(() => api.sendLink({}, { etag, dryRun: true }), 0), [form]);
  const { address } = form;
  const open = stayMoney.open('GUEST');
  const text = form.amount.value ?? typedAmount(open, currency);
  const read = amountOf(text, currency);
  const amount = 'amount' in read && read.amount > 0 ? read.amount : undefined;
  const isReady = isAddress(address) && amount !== undefined && amount <= open;
  const line = (): string => {
    if (amount === undefined) return words.typeAmount;
    if (amount > open) return words.more(moneyText(open, currency));
    return isAddress(address) ? words.will(address, moneyText(amount, currency)) : words.typeAddress;
  };
  const typeAmount = (typed: string): void => {
    form.amount.value = typed;
    form.attempt.error.value = undefined;
  };
  const send = async (): Promise<void> => {
    const body = { to: address, ...(form.amount.value !== undefined && { amount }) };
    const sent = await form.attempt.carryOut(body, (key) => api.sendLink(body, { etag, key }));
    if (!sent) return;
    onDone();
    await stayMoney.did(words.sent(sent.to));
  };
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={words.send}
      attempt={form.attempt}
      line={line()}
      button={isReady ? words.sendTo(address) : words.send}
      isReady={isReady}
      onSend={() => void send()}
      onBack={onBack}
    >
      <AddressField mail={form} />
      <AmountField value={text} currency={currency} onType={typeAmount} />
    </MoneyForm>
  );
}

/** Links that can still be used, each with what ends it. */
function PaymentLinks({ stayMoney }: { stayMoney: StayMoney }) {
  const links = useSignal<readonly PaymentLink[]>([]);
  const error = useSignal<string | undefined>(undefined);
  const { api, desk, currency } = stayMoney;
  useEffect(() => {
    void api.links().then(
      (found) => (links.value = found),
      (failed: unknown) => (error.value = mailError(failed)),
    );
  }, [stayMoney.read.value]);
  const revoke = async ({ linkId, to }: PaymentLink): Promise<void> => {
    try {
      await api.revokeLink(linkId);
      links.value = links.value.filter((one) => one.linkId !== linkId);
      desk.say(words.revoked(to));
    } catch (failed) {
      error.value = mailError(failed);
    }
  };
  const open = links.value.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && Date.parse(expiresAt) > Date.now(),
  );
  if (open.length === 0 && error.value === undefined) return null;
  return (
    <section aria-label={words.title}>
      <ul class="payment-links">
        {open.map((link) => (
          <li key={link.linkId}>
            {linkText(link, currency)}{' '}
            <ServiceButton desk={desk} aria-label={words.revokeLong(link.to)} onClick={() => void revoke(link)}>
              {words.revoke}
            </ServiceButton>
          </li>
        ))}
      </ul>
      {error.value !== undefined && (
        <p class="form-error" role="alert">
          {error.value}
        </p>
      )}
    </section>
  );
}
