import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { MAX_PHOTO_BYTES } from '../../src/properties/rules/photo.ts';

/** Larger bodies get 413 (docs/reference/api.md#every-request). */
export const MAX_BODY_BYTES = 256 * 1024;

/** Forms have a few short fields. */
const MAX_FORM_BYTES = 16 * 1024;

/** A wrong byte would be stored as a mark in place of the letter that was meant. */
const NOT_UTF8 = new DomainError('BODY_UNREADABLE', 'The body is not UTF-8.');

/**
 * Accepts JSON bodies only, CSV where a list may be sent as a file, forms where a page of the service sends one, and
 * photos where one is stored, and files of an import; an empty body counts as none. The built-in parsers for text and
 * forms are removed, so that such bodies get 415.
 */
export function understandJsonOnly(instance: FastifyInstance, importMaxBytes = MAX_BODY_BYTES): void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const coded = codingOf(request);
    if (coded !== undefined)
      done(new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as UTF-8, not as ${coded}.`));
    else if (request.routeOptions.config.access?.takesImport === true && body.length > 0)
      done(
        new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the file as ${['text/csv', ...IMPORT_TYPES].join(' or ')}.`),
      );
    else if (body.length === 0) done(null, undefined);
    else if (isUtf8(body)) void parse(request, body.toString(), done);
    else done(NOT_UTF8, undefined);
  });
  takeImports(instance, importMaxBytes);
  // As text: it may be forwarded to another node as it came.
  instance.addContentTypeParser<Buffer>('text/csv', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.access?.takesImport === true) return done(null, body);
    const isWelcome = request.routeOptions.config.access?.takesCsv === true;
    const coded = codingOf(request);
    if (isWelcome && coded === undefined && isUtf8(body)) done(null, body.toString());
    else if (isWelcome && coded === undefined) done(NOT_UTF8);
    else
      done(
        new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${isWelcome ? 'UTF-8' : 'application/json'}.`),
      );
  });
  // What the bytes are is found out from them: a media type may say anything.
  const photo = { parseAs: 'buffer', bodyLimit: MAX_PHOTO_BYTES } as const;
  instance.addContentTypeParser<Buffer>(/^image\//, photo, (request, body, done) => {
    if (request.routeOptions.config.access?.takesPhoto === true) done(null, body);
    else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'));
  });
  const form = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
  instance.addContentTypeParser('application/x-www-form-urlencoded', form, (request, body, done) => {
    const isWelcome = request.routeOptions.config.access?.takesForm === true && typeof body === 'string';
    if (isWelcome) done(null, Object.fromEntries(new URLSearchParams(body)));
    else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'), undefined);
  });
}

/** Files of an import, as their bytes: in what encoding they are is said by their mapping. */
function takeImports(instance: FastifyInstance, maxBytes: number): void {
  instance.addHook('onRoute', (route) => {
    if (route.config?.access?.takesImport === true) route.bodyLimit = maxBytes;
  });
  instance.addContentTypeParser<Buffer>(IMPORT_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.access?.takesImport === true) done(null, body);
    else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'));
  });
}

/** Media types of files of an import, beside `text/csv`. */
const IMPORT_TYPES = ['application/zip', 'application/gzip', 'application/x-ndjson'];

/** The charset or compression of a body that is not supported (RFC 9110, 15.5.16). */
function codingOf({ headers }: FastifyRequest): string | undefined {
  const encoding = headers['content-encoding']?.toLowerCase().trim();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') return encoding.slice(0, 20);
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  return charset === undefined || ['', 'utf-8', 'utf8', 'us-ascii'].includes(charset)
    ? undefined
    : charset.slice(0, 20);
}
