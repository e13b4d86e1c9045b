import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { LinkedStay } from '../../../src/notifications/operations/stay-link.ts';
import { hidden, inLanguage, type PageContext } from '../booking/page-context.ts';
import { type Fields, fieldOf } from '../booking/search-query.ts';
import { sendPage } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import { isTextKey, type TextKey } from '../texts.ts';

/** A stay, and the link by which it was opened. */
export type Opened = { link: string; stay: LinkedStay };

type Parameters = readonly [string, string][];

/** Steps below the page of a stay. */
export type StayStep = '' | '/dates' | '/cancel' | '/extras' | '/check-in' | '/invoice' | '/pay';

/** Address of a page of the stay, with the language that it carries. */
export function stayPath({ carried }: PageContext, link: string, step: StayStep = '', more: Parameters = []): string {
  const query = new URLSearchParams([...carried, ...more]).toString();
  return `/stay/${encodeURIComponent(link)}${step}${query === '' ? '' : `?${query}`}`;
}

/** Sends a page of the stay. */
export function sendStay(
  page: PageContext,
  reply: FastifyReply,
  { link, stay }: Opened,
  { title, body, step = '', status = 200, ...script }: StayBody,
): void {
  const { texts, assets } = page;
  const home = stayPath(page, link);
  const frame = {
    texts,
    assets,
    title: `${title} · ${stay.property.name}`,
    name: stay.property.name,
    home,
    inLanguage: (language: string) => inLanguage(stayPath(page, link, step), language),
    ...script,
  };
  const back = html`<p class="back"><a href="${home}">${texts.text('stay.back')}</a></p>`;
  sendPage(
    reply,
    frame,
    html`<h1>${title}</h1>
      ${body}${step !== '' && back}`,
    status,
  );
}

type StayBody = {
  title: string;
  body: Markup;
  step?: StayStep;
  status?: number;
  hasStripe?: boolean;
  forScript?: object;
};

/** Fields that have a form do its work once: the state that the page shows, and an id of its own. */
export const namedForm = ({ state }: LinkedStay): Parameters => [
  ['state', state],
  ['form', randomUUID()],
];

/** The same fields as a form has sent them. */
export const sentForm = (fields: Fields): { state: string; form: string } => ({
  state: fieldOf(fields, 'state'),
  form: fieldOf(fields, 'form'),
});

/** A form that does something with the stay, once. */
export function stayForm(
  page: PageContext,
  { link, stay }: Opened,
  { step, values, button }: { step: StayStep; values: Parameters; button: Markup },
): Markup {
  return html`<form method="post" action="${stayPath({ ...page, carried: [] }, link, step)}">
    ${hidden([...page.carried, ...values, ...namedForm(stay)])} ${button}
  </form>`;
}

/** What a form came to, as the page says it once more after the answer. */
const NOTES = { changed: 'stay.notNow', unknown: 'stay.unknown' } as const;
type Note = keyof typeof NOTES;

/** What the page says of a form that did nothing, or of which it is not known what it did. */
export function noteIn({ texts }: PageContext, fields: Fields): Markup | undefined {
  const note = fieldOf(fields, 'note');
  if (!Object.hasOwn(NOTES, note)) return undefined;
  return html`<p class="note" role="alert">${texts.text(NOTES[note as Note])}</p>`;
}

/**
 * Does the work of a form, and leads to the page that says so: loading that again sends no form again. A refused form
 * leads back to its step, which says what is now.
 */
export async function doOnce(
  page: PageContext,
  reply: FastifyReply,
  { link }: Opened,
  { step, done, again, work }: { step: StayStep; done: string; again: Parameters; work: () => Promise<unknown> },
): Promise<void> {
  const backWith = (note: Note): void =>
    void reply.redirect(stayPath(page, link, step, [...again, ['note', note]]), 303);
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'LINK_NOT_VALID') throw error;
    if (error.kind === 'limit') throw error;
    // The same form does it once.
    if (error.isRetryable) return backWith('unknown');
    if (error.kind === 'fault') throw error;
    return backWith('changed');
  }
  void reply.redirect(stayPath(page, link, '', [['done', done]]), 303);
}

/** What can be shown, or the error of a stay that does not allow it; other errors are those of the page. */
export async function shownOr<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work();
  } catch (error) {
    const isShown = error instanceof DomainError && ['conflict', 'rule', 'invalid'].includes(error.kind);
    if (isShown && error.code !== 'LINK_NOT_VALID') return error;
    throw error;
  }
}

/** Why something is refused, in a sentence. @param otherwise for a reason without a text of its own */
export function reason({ texts }: PageContext, { code }: DomainError, otherwise: TextKey): Markup {
  const key = `error.${code}`;
  return html`<p class="note" role="alert">${texts.text(isTextKey(key) ? key : otherwise)}</p>`;
}
