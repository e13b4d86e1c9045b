import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

import type { Language } from '../../../src/kernel/rules/languages.ts';
import { PAGES, START } from '../../../src/live/contracts/page-addresses.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import { languageFor, pageDocument, type PageDocument, sendDocument } from './page-documents.ts';

export type PageOptions = {
  /** Folder of the bundle: `index.html` and its files, flat. */
  dir: string;
  config: PageConfig;
  /** Origins that the page may call besides the issuer and the reservation service. */
  connectOrigins?: readonly string[];
  /** Public address of the page, if configured; otherwise taken from the request. */
  publicUrl?: string;
};

/** The document that every page begins with. */
const DOCUMENT = 'index.html';

/** File types of a bundle; others in the folder are not served. */
const SERVED = new Set(['.html', '.js', '.css', '.svg', '.ico', '.png', '.webmanifest', '.woff2']);

/** The one page has the path of each of its workspaces. */
const PAGE_ROUTES: readonly { path: string; script?: string }[] = [
  { path: START },
  ...PAGES.flatMap(({ paths, script }) =>
    paths.map((path) => ({ path: path.replaceAll(/\{(\w+)\}/g, ':$1'), script })),
  ),
];

/** The page is public: declared as on every route. */
const OPEN = { config: { access: { gate: 'open' as const } } };

/**
 * Serves the dashboard at the addresses of its pages, its files, and `/config.json`. Must be called before the server
 * listens. A folder without a bundle is no error: the live protocol works without a page.
 */
export async function registerPage(fastify: FastifyInstance, options: PageOptions): Promise<void> {
  const { dir, config } = options;
  const json = JSON.stringify(config);
  fastify.get('/config.json', OPEN, (_, reply) =>
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(json),
  );
  if (!existsSync(dir)) return;
  // The launcher has put compressed files beside the originals (src/platform/launch/dashboard.mjs).
  const plugin = { root: dir, serve: false, cacheControl: false, etag: true, preCompressed: true };
  await fastify.register(fastifyStatic, plugin);
  const headersFor = (request: FastifyRequest, name: string) => ({
    ...pageHeaders(request, options),
    'cache-control': cachingOf(name),
  });
  for (const name of readdirSync(dir).filter((one) => SERVED.has(extname(one)) && one !== DOCUMENT))
    fastify.get(`/${encodeURIComponent(name)}`, OPEN, (request, reply) =>
      reply.headers(headersFor(request, name)).sendFile(name),
    );
  if (!existsSync(join(dir, DOCUMENT))) return;
  for (const { path, script } of PAGE_ROUTES) {
    // At most one for each language, made for the first that needs it: compressing them all would delay the start.
    const documents = new Map<Language, PageDocument>();
    fastify.get(path, OPEN, (request, reply) => {
      const language = languageFor(request);
      const document = documents.get(language) ?? pageDocument(dir, { script, config: json, language });
      documents.set(language, document);
      sendDocument(document, request, reply.headers(headersFor(request, DOCUMENT)));
      return reply;
    });
  }
}

/** File names with a content hash are cached for good; others are revalidated. */
function cachingOf(name: string): string {
  return /-[0-9A-Z]{8}\.(js|css|woff2)$/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Headers of the page: nothing inline, nothing from other origins; connections only to the services. */
function pageHeaders(
  request: FastifyRequest,
  { config, connectOrigins = [], publicUrl }: PageOptions,
): Record<string, string> {
  // With a configured address, allowed connections do not depend on the request.
  const host = publicUrl ? new URL(publicUrl).host : (request.headers.host ?? '');
  // Older browsers do not count ws: as 'self'. An invalid host would end the header early.
  const sockets = /^[\w.:[\]-]+$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];
  const others = [config.issuer, config.reservationUrl, config.rateUrl, ...connectOrigins].map(
    (url) => new URL(url).origin,
  );
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self'",
      "manifest-src 'self'",
      `connect-src 'self' ${[...sockets, ...new Set(others)].join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
