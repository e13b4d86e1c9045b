import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Services } from '../../src/kernel/operations/services.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { ErrorKind } from '../../src/kernel/rules/errors/code.ts';
import { ForwardRequest } from '../../src/platform/coordination/ports.ts';
import { tenantAllows } from '../auth/tenant-rules.ts';
import { countedAddress } from '../http/admission/client-address.ts';
import { bundledName } from '../live/transport/page-documents.ts';
import { bookingPage, calendarPage, payPage } from './booking/booking-page.ts';
import { bookPage, guestPage } from './booking/guest-page.ts';
import type { PageContext } from './booking/page-context.ts';
import { searchPage } from './booking/search-page.ts';
import { type Fields, fieldOf, isSearch } from './booking/search-query.ts';
import { guestCaller } from './caller.ts';
import { type GuestAssets, sendPage } from './frame.ts';
import { html } from './html.ts';
import type { Counted } from './limits.ts';
import {
  contextOf,
  sentFields,
  type GuestPagesOptions,
  MAX_FORM_BYTES,
  notFound,
  OPEN,
  statusForGuests,
} from './request-context.ts';
import { stayRoutes } from './stay/stay-routes.ts';
import { textsFor, type TextKey } from './texts.ts';

type Params = { tenantId: string; propertyId: string; reference?: string };

/** Serves the pages for guests at `/book/{tenant}/{property}` (docs/guide/booking-page.md#booking-page). */
export async function registerGuestPages(pages: FastifyInstance, options: GuestPagesOptions): Promise<void> {
  const assets = assetsIn(options.dir);
  pages.setErrorHandler((error, request, reply) => answerError(options, assets, error, request, reply));
  pages.addHook('onSend', compressed);
  const route = (
    method: 'GET' | 'POST',
    path: string,
    counted: Counted | undefined,
    answer: (page: PageContext, reply: FastifyReply, fields: Fields, request: FastifyRequest) => Promise<void>,
  ): void => {
    pages.route({
      method,
      url: `/book/:tenantId/:propertyId${path}`,
      ...OPEN,
      bodyLimit: MAX_FORM_BYTES,
      handler: async (request, reply) => {
        if (options.isForForwarded && !request.requestScope?.admitted) throw notFound();
        const fields = sentFields(request);
        if (counted && (counted !== 'search' || path !== '' || isSearch(fields)))
          await options.limits.count(counted, request, reply);
        await admit(options, request, path.startsWith('/booking'));
        await answer(contextOf(options, assets, request, fields, paramsOf(request)), reply, fields, request);
        return reply;
      },
    });
  };
  route('GET', '', 'search', (page, reply, fields, { url }) => searchPage(page, reply, fields, url));
  route('GET', '/guest', 'search', (page, reply, fields, { url, headers: { cookie } }) =>
    guestPage(page, reply, fields, { url, cookie }),
  );
  route('POST', '/book', 'book', (page, reply, fields, { headers }) => bookPage(page, reply, fields, headers.cookie));
  route('GET', '/booking/:reference', undefined, (page, reply, fields, request) =>
    bookingPage(page, reply, referenceOf(request), fields),
  );
  route('POST', '/booking/:reference/pay', 'pay', (page, reply, fields, request) =>
    payPage(page, reply, referenceOf(request), fields),
  );
  pages.get('/book/:tenantId/:propertyId/photos/:photoId', OPEN, (request, reply) =>
    sendPhoto(options.services, request, reply),
  );
  stayRoutes(pages, options, assets);
  route('GET', '/booking/:reference/stay.ics', undefined, (page, reply, _, request) =>
    calendarPage(page, reply, referenceOf(request)),
  );
}

const gzipped = promisify(gzip);

/** Compresses a page for a browser that takes it; another node gets it as text. */
async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isPage = String(reply.getHeader('content-type')).startsWith('text/html') && typeof payload === 'string';
  if (!isPage || request.requestScope?.admitted || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
    return payload;
  reply
    .headers({ 'content-encoding': 'gzip', vary: 'accept-language, accept-encoding' })
    .removeHeader('content-length');
  return gzipped(payload);
}

type Said = { status: number; title: TextKey; text: TextKey };

/** Answers a photo. Its address is the hash of its content, so it is cached for good. */
async function sendPhoto({ photos }: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { photoId = '', ...of } = request.params as Params & { photoId?: string };
  const isKnown = isId(of.tenantId) && isId(of.propertyId) && /^[0-9a-f]{32}$/.test(photoId);
  const photo = isKnown ? await photos.content(of, photoId) : undefined;
  if (!photo) throw new DomainError('PHOTO_NOT_FOUND', 'The property has no such photo.');
  return reply
    .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
    .type(photo.mediaType)
    .send(photo.content);
}

function assetsIn(dir: string): GuestAssets {
  if (!existsSync(dir)) return { style: undefined, script: undefined, font: undefined };
  return {
    style: bundledName(dir, 'guest.css', '.css'),
    script: bundledName(dir, 'guest-script.ts'),
    font: bundledName(dir, 'ibm-plex-sans-latin-400-normal.woff2', '.woff2'),
  };
}

const paramsOf = (request: FastifyRequest): Params => request.params as Params;
const referenceOf = (request: FastifyRequest): string => paramsOf(request).reference ?? '';

/**
 * Makes the guest the caller, if the property sells online: other ones are not activated. What was booked stays
 * reachable by its reference, until the tenant is over. @throws DomainError PROPERTY_NOT_FOUND
 */
async function admit({ services }: GuestPagesOptions, request: FastifyRequest, isBooked: boolean): Promise<void> {
  // The node that received the request has admitted it.
  if (request.requestScope?.admitted?.caller) return;
  const { tenantId, propertyId, reference } = paramsOf(request);
  const isNamed = isId(tenantId) && isId(propertyId);
  if (isBooked) {
    if (!isNamed || !(await statusForGuests(services, tenantId))) throw notFound();
  } else {
    const sold = isNamed ? await services.propertyReader.soldOnline({ tenantId, propertyId }) : undefined;
    if (!sold || !tenantAllows(sold.tenantStatus, 'VIEWER', 'sell')) throw notFound();
  }
  const from = isBooked ? (reference ?? '') : countedAddress(request.ip);
  request.caller = guestCaller(services, tenantId, from, request.id);
}

const isId = (text: string): boolean => /^[a-z0-9-]{1,50}$/.test(text);

/** Forwards a request whose property has another owner; a page that is not there is one for people. */
function answerError(
  { forwarding, problem, isDevelopment }: GuestPagesOptions,
  assets: GuestAssets,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (error instanceof ForwardRequest && forwarding) {
    forwarding.send(request, reply, error).catch((failed: unknown) => problem(failed, request, reply));
    return;
  }
  const said = error instanceof DomainError ? (DEAD_LINK[error.code] ?? SAID[error.kind]) : undefined;
  if (!said) return problem(error, request, reply);
  const texts = textsFor(fieldOf(request.query as Fields, 'lang'), request.headers['accept-language'], isDevelopment);
  const title = texts.text(said.title);
  const frame = {
    texts,
    assets,
    title,
    name: 'Innkeeper',
    home: '/',
    inLanguage: (language: string) => `?lang=${language}`,
  };
  const { retryAfterSeconds } = (error as DomainError).details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  sendPage(
    reply,
    frame,
    html`<h1>${title}</h1>
      <p>${texts.text(said.text)}</p>`,
    said.status,
  );
}

/** A link that opens nothing, whatever the reason: the page says none of it to who has guessed one. */
const DEAD_LINK: Partial<Record<string, Said>> = {
  LINK_NOT_VALID: { status: 404, title: 'dead.title', text: 'dead.text' },
  RESERVATION_NOT_FOUND: { status: 404, title: 'dead.title', text: 'dead.text' },
};

/** Errors that a guest reads as a page of their own; the others are problems, as everywhere. */
const SAID: Partial<Record<ErrorKind, Said>> = {
  missing: { status: 404, title: 'missing.title', text: 'missing.text' },
  limit: { status: 429, title: 'limit.title', text: 'limit.text' },
};
