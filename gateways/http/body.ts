import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../src/domain/refusal.ts';

/** Bodies over this are 413 (contracts.md 2). */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * JSON is the only body understood; an empty one counts as none. The parsers that Fastify and Nest bring for text and
 * forms go, so that such bodies are 415.
 */
export function understandJsonOnly(instance: FastifyInstance): void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (typeof body === 'string') void parse(request, body, done);
    else done(new Refusal('BODY_UNREADABLE', 'The body is not text.'), undefined);
  });
}
