import { useEffect } from 'preact/hooks';

import { AddressedMail, AddressField } from './addressed-mail.tsx';
import { MoneyForm } from './form-parts.tsx';
import { isAddress, mailWords as words } from './mail-messages.ts';
import type { MailSent, StayInvoice } from './shapes.ts';
import type { StayMoney } from './stay-money.ts';

type Props = {
  stayMoney: StayMoney;
  invoice: StayInvoice;
  window: 'SHARER' | undefined;
  onEnd: (sentTo?: string) => void;
};

/** "Mail invoice": names the recipient before it sends. */
export function InvoiceMailForm({ stayMoney, invoice, window, onEnd }: Props) {
  const form = stayMoney.form(`mail ${window}`, () => new AddressedMail<MailSent>(stayMoney));
  const { api, etag } = stayMoney;
  const of = window ? { window } : {};
  useEffect(() => form.attempt.tryOut(() => api.mailInvoice(of, { etag, dryRun: true }), 0), [form]);
  const { address } = form;
  const isReady = isAddress(address);
  const send = async (): Promise<void> => {
    const body = { ...of, to: address };
    const sent = await form.attempt.carryOut(body, (key) => api.mailInvoice(body, { etag, key }));
    if (sent) onEnd(sent.to);
  };
  const said = window ? words.willSharer : words.will;
  return (
    <MoneyForm
      stayMoney={stayMoney}
      label={words.invoice}
      attempt={form.attempt}
      line={isReady ? said(invoice.invoiceNumber, address) : words.typeOne}
      button={isReady ? words.sendTo(address) : words.send}
      isReady={isReady}
      onSend={() => void send()}
      onBack={() => onEnd()}
    >
      <AddressField mail={form} />
    </MoneyForm>
  );
}
