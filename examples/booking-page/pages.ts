import { randomUUID } from 'node:crypto';

/** A stay that a guest asks for. */
export type Search = { checkIn: string; checkOut: string; adults: number };

/** What can be booked of it. */
export type Offer = {
  roomType: string;
  rateCode: string;
  total: number;
  currency: string;
  quoteToken: string;
  guarantee: 'NONE' | 'PREPAY';
  cancellation: { deadlineDate: string | null; policyName: string };
};

type Booked = {
  confirmationNumber: string;
  status: string;
  holdExpiresAt?: string | null;
  financial: { totalAmount: number; currency: string };
};

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string | number): string => String(text).replaceAll(/[&<>"']/g, (one) => ESCAPES[one]!);

/** Values of a template are text, unless they are markup of this file. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function html(parts: TemplateStringsArray, ...values: (string | number | Markup | Markup[])[]): Markup {
  const shown = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ text }) => text).join('');
    return value instanceof Markup ? value.text : escaped(value);
  });
  return new Markup(String.raw({ raw: parts }, ...shown));
}

const page = (title: string, content: Markup): string =>
  html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
      <style>
        body {
          font: 1rem/1.5 system-ui;
          max-width: 40rem;
          margin: 2rem auto;
          padding: 0 1rem;
        }
        form {
          display: grid;
          gap: 0.5rem;
          margin: 1rem 0;
          padding: 1rem;
          border: 1px solid;
          border-radius: 0.5rem;
        }
        input,
        button {
          font: inherit;
          padding: 0.5rem;
        }
      </style>
      <main>
        <h1>${title}</h1>
        ${content}
      </main>
    </html>`.text;

export const searchPage = ({ checkIn, checkOut, adults }: Search): string =>
  page(
    'Stay with us',
    html`<form action="/offers">
      <label>Arrival <input type="date" name="checkIn" value="${checkIn}" required /></label>
      <label>Departure <input type="date" name="checkOut" value="${checkOut}" required /></label>
      <label>Adults <input type="number" name="adults" min="1" max="10" value="${adults}" required /></label>
      <button>Show rooms</button>
    </form>`,
  );

export function offersPage(search: Search, offers: readonly Offer[]): string {
  const { checkIn, checkOut } = search;
  const none = html`<p>Nothing is free on these nights. <a href="/">Other dates</a></p>`;
  const forms = offers.map((offer) => offerForm(search, offer));
  return page(`Rooms from ${checkIn} to ${checkOut}`, forms.length === 0 ? none : html`${forms}`);
}

/** Its price is that of the quote token, and each form that is shown is one attempt. */
function offerForm({ checkIn, checkOut, adults }: Search, offer: Offer): Markup {
  const { roomType, rateCode, total, currency, quoteToken, guarantee, cancellation } = offer;
  const hidden = { checkIn, checkOut, adults, roomType, rateCode, quoteToken, attempt: randomUUID() };
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const until = cancellation.deadlineDate;
  const terms = until === null ? 'Cannot be cancelled free of charge' : `Free of charge to cancel until ${until}`;
  return html`<form method="post" action="/book">
    <strong>${roomType} ${rateCode}: ${total.toFixed(2)} ${currency}, taxes included</strong>
    <span>${terms}. ${guarantee === 'NONE' ? 'Paid at the hotel.' : 'Paid by a link that you are mailed.'}</span>
    ${fields}
    <label>First name <input name="firstName" autocomplete="given-name" required /></label>
    <label>Last name <input name="lastName" autocomplete="family-name" required /></label>
    <label>E-mail <input type="email" name="email" autocomplete="email" required /></label>
    <button>Book</button>
  </form>`;
}

export function confirmationPage(booked: Booked, isMailed: boolean): string {
  const { confirmationNumber, status, holdExpiresAt, financial } = booked;
  const { totalAmount, currency } = financial;
  const isBooked = status === 'CONFIRMED';
  const how = isMailed ? 'We have mailed you a link to pay' : 'Please call us to pay';
  return page(
    isBooked ? 'Booked' : 'Your room is held',
    html`<p>${confirmationNumber}: ${totalAmount.toFixed(2)} ${currency}</p>
      ${isBooked ? html`<p>We look forward to your stay.</p>` : html`<p>${how}, until ${holdExpiresAt ?? 'tomorrow'}.</p>`}`,
  );
}

export const noPage = (why: string): string =>
  page(
    'That did not work',
    html`<p>${why}</p>
      <p><a href="/">Begin again</a></p>`,
  );
