import type { FastifyRequest } from 'fastify';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Address, Caller } from '../../../src/kernel/rules/caller.ts';
import { readRoomTypeNames } from '../../../src/properties/operations/room-type-names.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import type { CardEntry } from '../card-form.ts';
import type { Frame, GuestAssets } from '../frame.ts';
import { html, type Markup } from '../html.ts';
import type { Texts } from '../texts.ts';
import { fieldOf, type Fields } from './search-query.ts';

/** What all pages of a property have in common. */
export type PageContext = {
  services: Services;
  assets: GuestAssets;
  cards: CardEntry;
  /** Public address of the pages, without a path. */
  origin: string;
  to: Address;
  caller: Caller;
  texts: Texts;
  /** What the page carries from step to step: its language, and whether it is in a frame. */
  carried: [string, string][];
  isEmbedded: boolean;
};

/** `/book/{tenant}/{property}` and the paths below it. */
export const bookingPath = ({ to }: Pick<PageContext, 'to'>, below = ''): string =>
  `/book/${encodeURIComponent(to.tenantId)}/${encodeURIComponent(to.propertyId)}${below}`;

/** An address of the page with what it carries. */
export function link(page: PageContext, parameters: readonly [string, string][] = [], below = ''): string {
  const query = new URLSearchParams();
  for (const [name, value] of [...parameters, ...page.carried]) query.set(name, value);
  const text = query.toString();
  return bookingPath(page, below) + (text === '' ? '' : `?${text}`);
}

/** The same values as hidden fields of a form. */
export function hidden(parameters: readonly [string, string][]): Markup[] {
  return parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** What a request carries from step to step. */
export function carriedBy(fields: Fields): [string, string][] {
  const lang = fieldOf(fields, 'lang', 5);
  const isEmbedded = fieldOf(fields, 'embed') === '1';
  return [
    ...(lang === '' ? [] : [['lang', lang] as [string, string]]),
    ...(isEmbedded ? [['embed', '1'] as [string, string]] : []),
  ];
}

/** The frame of a page. @param of the request that the page answers; a form is answered under the address `at` */
export function frameOf(
  page: PageContext,
  { name, metadata: { bookingPage } }: Pick<Property, 'name' | 'metadata'>,
  { title, at }: { title: string; at: string },
): Frame {
  const { texts, assets, isEmbedded } = page;
  return {
    texts,
    assets,
    title: `${title} · ${name}`,
    name,
    home: link(page),
    inLanguage: (language) => inLanguage(at, language),
    ...(isEmbedded && { embedOrigins: bookingPage?.embedOrigins ?? [] }),
  };
}

/** An address of the page in another language. */
export function inLanguage(at: string, language: string): string {
  const [path, query] = at.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('lang', language);
  return `${path}?${parameters.toString()}`;
}

/** The public address of the pages: that of the configuration, else that of the request. */
export function originOf(publicUrl: string | undefined, { headers: { host = '' } }: FastifyRequest): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin;
  return /^[\w.:[\]-]+$/.test(host) ? `http://${host}` : '';
}

export type RoomNames = ReadonlyMap<string, string>;

/** Names of the room types of the property. */
export const roomNames = ({ services, to }: PageContext): Promise<RoomNames> => readRoomTypeNames(services, to);
