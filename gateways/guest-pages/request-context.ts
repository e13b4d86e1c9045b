import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Services } from '../../src/kernel/operations/services.ts';
import type { Address } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { TenantStatus } from '../../src/tenants/rules/tenant.ts';
import { tenantAllows } from '../auth/tenant-rules.ts';
import type { Forwarding } from '../http/app.ts';
import { carriedBy, originOf, type PageContext } from './booking/page-context.ts';
import type { Fields } from './booking/search-query.ts';
import type { CardEntry } from './card-form.ts';
import type { GuestAssets } from './frame.ts';
import type { GuestLimits } from './limits.ts';
import { textsFor } from './texts.ts';

export type GuestPagesOptions = {
  services: Services;
  limits: GuestLimits;
  cards: CardEntry;
  /** Folder of the bundle. */
  dir: string;
  /** Public address of the pages; without one, that of the request. */
  publicUrl?: string;
  isDevelopment: boolean;
  forwarding?: Forwarding;
  /** Answers what is no page: faults and limits. */
  problem: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
  /** Whether the listener answers only requests that another node has forwarded. */
  isForForwarded?: boolean;
};

/** Bytes of a form: the quote tokens of several rooms are the most of it. */
export const MAX_FORM_BYTES = 48 * 1024;

/** Public, and never cached by the client: declared as on every route. */
export const OPEN = {
  config: { access: { gate: 'open' as const, takesForm: true, takesBody: true, isForOwner: true } },
};

/** What a form has sent, or an address. */
export function sentFields({ method, query, body }: FastifyRequest): Fields {
  return ((method === 'GET' || method === 'HEAD' ? query : body) ?? {}) as Fields;
}

/** Status of a tenant whose guests get what the desk may do for them; none of one that is over. */
export async function statusForGuests(
  { administration }: Services,
  tenantId: TenantId,
): Promise<TenantStatus | undefined> {
  const status = await administration.read(tenantId, async (records) => (await records.tenant())?.status);
  return status !== undefined && tenantAllows(status, 'STAFF', 'run') ? status : undefined;
}

export const notFound = (): DomainError => new DomainError('PROPERTY_NOT_FOUND', 'There is no such booking page.');

/** What all pages of a property have in common, for one request. */
export function contextOf(
  { services, cards, publicUrl, isDevelopment }: GuestPagesOptions,
  assets: GuestAssets,
  request: FastifyRequest,
  fields: Fields,
  to: Address,
): PageContext {
  const carried = carriedBy({ ...(request.query as Fields), ...fields });
  const named = carried.find(([name]) => name === 'lang')?.[1];
  return {
    services,
    assets,
    cards,
    origin: originOf(publicUrl, request),
    to: { tenantId: to.tenantId, propertyId: to.propertyId },
    caller: request.caller!,
    texts: textsFor(named, request.headers['accept-language'], isDevelopment),
    carried,
    isEmbedded: carried.some(([name]) => name === 'embed'),
  };
}
