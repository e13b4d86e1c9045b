import type { FastifyInstance, FastifyRequest } from 'fastify';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';

/** Larger bodies get 413 (docs/reference/api.md#every-request). */
export const MAX_BODY_BYTES = 256 * 1024;

/** Forms have a few short fields. */
const MAX_FORM_BYTES = 16 * 1024;

/**
 * Accepts JSON bodies only, CSV where a list may be sent as a file, and forms where a page of the service sends one; an
 * empty body counts as none. The built-in parsers for text and forms are removed, so that such bodies get 415.
 */
export function understandJsonOnly(instance: FastifyInstance): void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const coded = codingOf(request);
    if (coded !== undefined)
      done(new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as UTF-8, not as ${coded}.`));
    else if (body.length === 0) done(null, undefined);
    else if (typeof body === 'string') void parse(request, body, done);
    else done(new DomainError('BODY_UNREADABLE', 'The body is not text.'), undefined);
  });
  // As text: it may be forwarded to another node as it came.
  instance.addContentTypeParser('text/csv', { parseAs: 'string' }, (request, body, done) => {
    const isWelcome = request.routeOptions.config.access?.takesCsv === true && typeof body === 'string';
    const coded = codingOf(request);
    if (isWelcome && coded === undefined) done(null, body);
    else
      done(
        new DomainError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${isWelcome ? 'UTF-8' : 'application/json'}.`),
      );
  });
  const form = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
  instance.addContentTypeParser('application/x-www-form-urlencoded', form, (request, body, done) => {
    const isWelcome = request.routeOptions.config.access?.takesForm === true && typeof body === 'string';
    if (isWelcome) done(null, Object.fromEntries(new URLSearchParams(body)));
    else done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'), undefined);
  });
}

/** The charset or compression of a body that is not supported (RFC 9110, 15.5.16). */
function codingOf({ headers }: FastifyRequest): string | undefined {
  const encoding = headers['content-encoding']?.toLowerCase().trim();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') return encoding.slice(0, 20);
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  return charset === undefined || ['', 'utf-8', 'utf8', 'us-ascii'].includes(charset)
    ? undefined
    : charset.slice(0, 20);
}
