import type { FastifyRequest } from 'fastify';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';

/** Path of the MCP server. */
const MCP_PATH = '/mcp';

/** Path of the document about the protected resource (RFC 9728); the second one has the path of the resource in it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

type Asked = Pick<FastifyRequest, 'protocol' | 'headers'>;

/** Address of the MCP server: the public one, or that of the request where none is set. */
export const mcpUrl = (publicUrl: string | undefined, request: Asked): string =>
  baseOf(publicUrl, request) + MCP_PATH;

/** Address of the document that names the issuer of tokens for the MCP server. */
export const metadataUrl = (publicUrl: string | undefined, request: Asked): string =>
  baseOf(publicUrl, request) + METADATA_PATH + MCP_PATH;

function baseOf(publicUrl: string | undefined, { protocol, headers: { host = '' } }: Asked): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  // It comes from the client, and goes into a header and a document.
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : '';
}

/**
 * Refuses a request that a page of another origin has a browser send, such as one whose name was bound to this address
 * afterwards. Programs send no origin.
 * @throws DomainError ORIGIN_FORBIDDEN
 */
export function demandOrigin(
  { headers: { origin } }: Pick<FastifyRequest, 'headers'>,
  allowed: readonly string[],
): void {
  if (origin !== undefined && !allowed.includes(origin))
    throw new DomainError('ORIGIN_FORBIDDEN', 'Pages of this origin may not call it.');
}
