import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { companyListAnswer } from '../../../../src/money/contracts/companies.ts';
import type { exchangeRateListAnswer } from '../../../../src/money/contracts/exchange-rates.ts';
import type { extraListAnswer } from '../../../../src/money/contracts/extras.ts';
import { ask, propertyPath, type Sent, type SignedAccess } from '../../api.ts';
import type * as shapes from './shapes.ts';

/** A write that is tried out first. `key` is the same for each repeat of it. */
type Write = { etag: string; dryRun?: boolean; key?: string };

const TRIES = 3;

/** Calls about the money of one stay. Every method throws ApiError. */
export class FolioApi {
  readonly #access: () => SignedAccess;
  readonly #propertyId: string;
  readonly #stay: string;

  constructor(access: () => SignedAccess, propertyId: string, reservationId: string) {
    this.#access = access;
    this.#propertyId = propertyId;
    this.#stay = `/api/v1/reservations/${reservationId}`;
  }

  folio(): Promise<shapes.FolioView> {
    return this.#get<shapes.FolioView>(`${this.#stay}/folio`);
  }

  invoice(window?: 'SHARER'): Promise<shapes.StayInvoice> {
    return this.#get<shapes.StayInvoice>(`${this.#stay}/invoice${window ? `?window=${window}` : ''}`);
  }

  /** What the property sells besides nights, and may sell now. */
  async extras(): Promise<shapes.ExtraView[]> {
    const { items } = await this.#get<WireOf<typeof extraListAnswer>>(`${this.#property()}/services`);
    return items.filter(({ active }) => active);
  }

  /** Rates at which the desk takes other currencies today. */
  async exchangeRates(): Promise<shapes.ExchangeRateView[]> {
    const { items } = await this.#get<WireOf<typeof exchangeRateListAnswer>>(`${this.#property()}/exchange-rates`);
    return items.filter(({ usable }) => usable);
  }

  /** Companies that can be invoiced, by a part of the name. */
  async companies(name: string, limit: number): Promise<shapes.CompanyView[]> {
    const query = new URLSearchParams({ active: 'true', limit: String(limit), ...(name && { name }) });
    const { items } = await this.#get<WireOf<typeof companyListAnswer>>(`/api/v1/companies?${query.toString()}`);
    return items;
  }

  company(id: string): Promise<shapes.CompanyView> {
    return this.#get<shapes.CompanyView>(`/api/v1/companies/${id}`);
  }

  post(body: shapes.ChargePlan, write: Write): Promise<shapes.PostingView> {
    return this.#write<shapes.PostingView>('POST', '/folio/postings', body, write);
  }

  voidPosting(postingId: string, reason: string, write: Write): Promise<shapes.PostingView> {
    const path = `/folio/postings/${encodeURIComponent(postingId)}/void`;
    return this.#write<shapes.PostingView>('POST', path, { reason }, write);
  }

  route(body: { rules: shapes.FolioView['routing']; companyId?: string }, write: Write): Promise<shapes.RoutingView> {
    return this.#write<shapes.RoutingView>('PUT', '/folio/routing', body, write);
  }

  pay(body: shapes.PaymentPlan, write: Write): Promise<shapes.PaymentTaken> {
    return this.#write<shapes.PaymentTaken>('POST', '/payments', body, write);
  }

  refund(body: shapes.RefundPlan, write: Write): Promise<shapes.RefundGiven> {
    return this.#write<shapes.RefundGiven>('POST', '/refunds', body, write);
  }

  mailInvoice(body: { window?: 'SHARER'; to?: string }, write: Write): Promise<shapes.MailSent> {
    return this.#write<shapes.MailSent>('POST', '/invoice/mail', body, write);
  }

  sendLink(body: { to?: string; amount?: number }, write: Write): Promise<shapes.PaymentLink> {
    return this.#write<shapes.PaymentLink>('POST', '/payment-links', body, write);
  }

  async links(): Promise<shapes.PaymentLink[]> {
    return (await this.#get<{ items: shapes.PaymentLink[] }>(`${this.#stay}/payment-links`)).items;
  }

  async revokeLink(linkId: string): Promise<void> {
    const path = `${this.#stay}/payment-links/${encodeURIComponent(linkId)}`;
    await ask(this.#access(), 'reservation', path, { method: 'DELETE', body: {} }, TRIES);
  }

  async #write<T>(method: Sent['method'], what: string, body: object, { etag, dryRun, key }: Write): Promise<T> {
    const path = `${this.#stay}${what}${dryRun ? '?dryRun=true' : ''}`;
    const sent = { method, body, ifMatch: etag, ...(key !== undefined && { key }) };
    return (await ask(this.#access(), 'reservation', path, sent, TRIES)).body as T;
  }

  async #get<T>(path: string): Promise<T> {
    return (await ask(this.#access(), 'reservation', path, undefined, TRIES)).body as T;
  }

  #property(): string {
    return propertyPath(this.#access().user, this.#propertyId);
  }
}
