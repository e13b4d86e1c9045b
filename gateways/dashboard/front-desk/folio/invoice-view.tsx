import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { mediumDay, shortDay } from '../../grid/days.ts';
import { Icon } from '../../icons.tsx';
import { returns } from '../../live/network.ts';
import { moneyText } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import { Choice, windowPayer } from './form-parts.tsx';
import { billLine } from './invoice/bill-line.ts';
import { sumsOf } from './invoice/sums.ts';
import { InvoiceMailForm } from './mail-form.tsx';
import { mailWords } from './mail-messages.ts';
import { invoiceWords as words, formWords, paymentName } from './messages.ts';
import type { StayInvoice as Invoice, PaymentView } from './shapes.ts';
import type { LevelProps, StayMoney } from './stay-money.ts';

/** "Print invoice": the invoice as a sheet of paper, which the browser prints at once. */
export function InvoiceView({ stayMoney, onBack }: LevelProps) {
  const party = useSignal<Party>('REST');
  const read = useSignal<Invoice | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const isMailing = useSignal(false);
  const sentTo = useSignal<string | undefined>(undefined);
  const printed = useRef(false);
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    let isCurrent = true;
    const load = async (): Promise<void> => {
      try {
        const found = await stayMoney.api.invoice(party.value === 'SHARER' ? 'SHARER' : undefined);
        if (isCurrent) read.value = found;
      } catch (refused) {
        if (isCurrent) error.value = errorText(refused);
      }
    };
    error.value = undefined;
    void load();
    return () => {
      isCurrent = false;
    };
  }, [stayMoney.read.value.etag, party.value, returns.value]);
  useEffect(() => {
    if (!read.value || printed.current) return;
    printed.current = true;
    // After the sheet is on the page.
    requestAnimationFrame(() => {
      top.current?.scrollIntoView({ block: 'nearest' });
      print();
    });
  }, [read.value]);
  const shown = read.value;
  return (
    <section class="invoice" aria-label={words.title} ref={top}>
      <PartyChoice
        stayMoney={stayMoney}
        party={party}
        onChange={() => {
          isMailing.value = false;
          sentTo.value = undefined;
        }}
      />
      {error.value !== undefined && <p class="form-error">{error.value}</p>}
      {!shown && error.value === undefined && <p class="muted">{formWords.loading}</p>}
      {shown && (
        <>
          <Actions
            desk={stayMoney.desk}
            receiptUrl={linkOf(shown, stayMoney)}
            isMailing={isMailing.value}
            onMail={() => {
              sentTo.value = undefined;
              isMailing.value = !isMailing.value;
            }}
            onBack={onBack}
          />
          <Mailing
            stayMoney={stayMoney}
            invoice={shown}
            window={party.value === 'SHARER' ? 'SHARER' : undefined}
            isOpen={isMailing}
            sentTo={sentTo}
          />
          <Sheet invoice={shown} stayMoney={stayMoney} />
        </>
      )}
    </section>
  );
}

type ActionsProps = {
  desk: FrontDesk;
  receiptUrl: string | undefined;
  isMailing: boolean;
  onMail: () => void;
  onBack: () => void;
};

function Actions({ desk, receiptUrl, isMailing, onMail, onBack }: ActionsProps) {
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => print()}>
        {words.print}
      </button>
      {receiptUrl !== undefined && (
        <a class="button" href={receiptUrl} target="_blank" rel="noreferrer">
          {words.receipt}
        </a>
      )}
      <ServiceButton desk={desk} aria-expanded={isMailing} onClick={onMail}>
        {mailWords.invoice}
      </ServiceButton>
      <button type="button" onClick={onBack}>
        {formWords.close}
      </button>
    </div>
  );
}

/** Without a public address of the service the link is a path of it. */
function linkOf({ receiptUrl }: Invoice, { desk }: StayMoney): string | undefined {
  return receiptUrl === null ? undefined : new URL(receiptUrl, desk.access.config.reservationUrl).href;
}

type Party = 'REST' | 'SHARER';
type PartyProps = { stayMoney: StayMoney; party: Signal<Party>; onChange: () => void };

/** Whose invoice, where two guests pay. */
function PartyChoice({ stayMoney, party, onChange }: PartyProps) {
  if (!stayMoney.stay.sharer) return null;
  return (
    <Choice<Party>
      legend={words.of}
      name="party"
      value={party.value}
      options={[
        { value: 'REST', text: words.rest },
        { value: 'SHARER', text: windowPayer(stayMoney, 'SHARER') },
      ]}
      onChoose={(chosen) => {
        party.value = chosen;
        onChange();
      }}
    />
  );
}

type MailingProps = {
  stayMoney: StayMoney;
  invoice: Invoice;
  window: 'SHARER' | undefined;
  isOpen: Signal<boolean>;
  sentTo: Signal<string | undefined>;
};

/** The form that mails the invoice, and afterwards where it went. */
function Mailing({ stayMoney, invoice, window, isOpen, sentTo }: MailingProps) {
  const end = (to?: string): void => {
    isOpen.value = false;
    sentTo.value = to;
    if (to !== undefined) stayMoney.desk.say(mailWords.sent(to));
  };
  if (isOpen.value) return <InvoiceMailForm stayMoney={stayMoney} invoice={invoice} window={window} onEnd={end} />;
  if (sentTo.value === undefined) return null;
  return (
    <p class="done">
      <Icon name="good" />
      {mailWords.sent(sentTo.value)}
    </p>
  );
}

function Sheet({ invoice, stayMoney }: { invoice: Invoice; stayMoney: StayMoney }) {
  const { currency, issuedBy, issuedTo, guestName, creditNotes, payments } = invoice;
  const amount = (value: number): string => moneyText(value, currency);
  const isOffer = invoice.status === 'PRO_FORMA';
  const { items, subtotal, added, within, unnamed } = sumsOf(invoice);
  const { checkIn, checkOut } = stayMoney.stay.stayDetails;
  return (
    <article class="invoice-sheet" aria-label={`${words.title} ${invoice.invoiceNumber}`}>
      <header>
        <strong>{issuedBy.propertyName}</strong>
        {addressLines(issuedBy.address).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </header>
      <h3>
        {isOffer ? words.proForma : words.title} {invoice.invoiceNumber}
      </h3>
      {isOffer && <p class="muted">{words.isOffer}</p>}
      <dl>
        <Line name={words.to} text={[issuedTo.name, ...addressLines(issuedTo.address)].join(', ')} />
        {issuedTo.vatId !== undefined && <Line name="" text={words.vat(issuedTo.vatId)} />}
        {guestName !== null && <Line name={words.guest} text={guestName} />}
        <Line name={words.confirmation} text={invoice.confirmationNumber} />
        <Line name="" text={`${mediumDay(checkIn)} – ${mediumDay(checkOut)}`} />
        {invoice.issuedAt !== null && <Line name={words.issued} text={mediumDay(invoice.issuedAt.slice(0, 10))} />}
      </dl>
      <table>
        <tbody>
          {items.map(({ date, description, amount: of }, index) => (
            <tr key={`${index} ${date}`}>
              <td>{shortDay(date)}</td>
              <td>{billLine(description)}</td>
              <td class="amount">{amount(of)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Row name={words.subtotal} value={amount(subtotal)} />
          {added.map((tax) => (
            <Row key={taxKey(tax)} name={billLine(tax.name ?? tax.code)} value={amount(tax.amount)} />
          ))}
          {unnamed !== 0 && <Row name={words.taxes} value={amount(unnamed)} />}
          <Row name={words.total} value={amount(invoice.totalAmount)} isStrong />
          {within.map((tax) => (
            <Row key={taxKey(tax)} name={words.within(billLine(tax.name ?? tax.code))} value={amount(tax.amount)} />
          ))}
          {creditNotes.map(({ number, totalAmount }) => (
            <Row key={number} name={words.creditNote(number)} value={amount(totalAmount)} />
          ))}
          {payments.filter(isDone).map((payment) => (
            <Row
              key={payment.paymentId}
              name={`${words.paid}, ${paymentName(payment)}`}
              value={amount(payment.type === 'CHARGE' ? 0 - payment.amount : payment.amount)}
            />
          ))}
          <Row name={words.balance} value={amount(invoice.balanceDue)} isStrong />
        </tfoot>
      </table>
    </article>
  );
}

const taxKey = ({ code, included }: Invoice['taxLines'][number]): string => `${code} ${included}`;

const isDone = ({ status, amount }: PaymentView): boolean => status === 'COMPLETED' && amount > 0;

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Row({ name, value, isStrong = false }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <tr data-strong={isStrong || undefined}>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td class="amount">{value}</td>
    </tr>
  );
}

/** Lines of an address, of which any part may be missing. */
function addressLines(address: unknown): string[] {
  if (typeof address !== 'object' || address === null) return [];
  const part = (name: string): string => {
    const value = (address as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  };
  const city = [part('zipCode'), part('city')].filter(Boolean).join(' ');
  return [part('addressLine1'), part('addressLine2'), city, part('country')].filter(Boolean);
}
