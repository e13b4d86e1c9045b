import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Tags of the answers that the client holds (`If-None-Match`, RFC 9110 13.1.2), without the mark of weak ones: the
 * comparison is weak. `*` is no tag: it does not say which answer is held.
 */
export function heldTagsOf({ headers }: Pick<FastifyRequest, 'headers'>): readonly string[] {
  const given = headers['if-none-match'];
  if (given === undefined) return [];
  return [...given.matchAll(/(?:^|,)\s*(?:W\/)?"([\x21\x23-\x7e]*)"/g)].map(([, tag = '']) => tag);
}

/**
 * Lets the client hold the answer, and use it again only once it is confirmed (docs/reference/api.md#held-answers). It is
 * for this caller alone.
 * @param etag with its quotes, and `W/` before them where equal tags do not mean equal bytes
 */
export function stampHeld(reply: FastifyReply, etag: string): void {
  const vary = reply.getHeader('vary');
  const varies = 'Authorization, X-Tenant-ID';
  reply.header('etag', etag);
  reply.header('cache-control', 'private, no-cache');
  reply.header('vary', vary === undefined ? varies : `${String(vary)}, ${varies}`);
}

/** The client holds the answer already. */
export function stampNotModified(reply: FastifyReply): void {
  reply.code(304).removeHeader('content-type');
}
