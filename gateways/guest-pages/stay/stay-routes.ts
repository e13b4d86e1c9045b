import type { FastifyInstance, FastifyReply } from 'fastify';

import { type LinkedStay, linkNotValid, openStayLink } from '../../../src/notifications/operations/stay-link.ts';
import { tenantAllows } from '../../auth/tenant-rules.ts';
import type { PageContext } from '../booking/page-context.ts';
import type { Fields } from '../booking/search-query.ts';
import { guestCaller } from '../caller.ts';
import type { GuestAssets } from '../frame.ts';
import type { Counted } from '../limits.ts';
import {
  contextOf,
  sentFields,
  type GuestPagesOptions,
  MAX_FORM_BYTES,
  notFound,
  OPEN,
  statusForGuests,
} from '../request-context.ts';
import { cancelPage, cancelStay } from './cancel-page.ts';
import { checkInPage, checkInStay } from './check-in-page.ts';
import { changeStayDates, datesPage } from './dates-page.ts';
import { addStayExtra, extrasPage } from './extras-page.ts';
import { invoicePage } from './invoice-page.ts';
import type { Opened, StayStep } from './stay-frame.ts';
import { payStay, stayPage } from './stay-page.ts';

type ToStay = (page: PageContext, reply: FastifyReply, opened: Opened, fields: Fields) => Promise<void>;

/** Serves the page of a stay to who has its link (docs/guide/my-stay.md#my-stay). */
export function stayRoutes(pages: FastifyInstance, options: GuestPagesOptions, assets: GuestAssets): void {
  const { services } = options;
  const route = (method: 'GET' | 'POST', step: StayStep, counted: Counted, answer: ToStay): void => {
    pages.route({
      method,
      url: `/stay/:link${step}`,
      ...OPEN,
      bodyLimit: MAX_FORM_BYTES,
      handler: async (request, reply) => {
        if (options.isForForwarded && !request.requestScope?.admitted) throw notFound();
        await options.limits.count(counted, request, reply);
        const { link } = request.params as { link: string };
        const stay = await admitted(options, await openStayLink(services, link));
        if (step !== '' && step !== '/pay' && !stay.isManaging) throw linkNotValid();
        // The node that received the request has named the caller.
        request.caller ??= guestCaller(services, stay.to.tenantId, stay.linkId, request.id);
        const fields = sentFields(request);
        await answer(contextOf(options, assets, request, fields, stay.to), reply, { link, stay }, fields);
        return reply;
      },
    });
  };
  route('GET', '', 'stay', stayPage);
  route('POST', '/pay', 'pay', payStay);
  route('GET', '/dates', 'stay', datesPage);
  route('POST', '/dates', 'change', changeStayDates);
  route('GET', '/cancel', 'stay', cancelPage);
  route('POST', '/cancel', 'change', cancelStay);
  route('GET', '/extras', 'stay', extrasPage);
  route('POST', '/extras', 'change', addStayExtra);
  route('GET', '/check-in', 'stay', checkInPage);
  route('POST', '/check-in', 'change', checkInStay);
  route('GET', '/invoice', 'stay', invoicePage);
}

/** Guests do what the desk may do for them: nothing at a tenant that is over. @throws DomainError LINK_NOT_VALID */
async function admitted({ services }: GuestPagesOptions, opened: LinkedStay): Promise<LinkedStay> {
  const status = await statusForGuests(services, opened.to.tenantId);
  if (status === undefined) throw linkNotValid();
  return { ...opened, ...(!tenantAllows(status, 'STAFF', 'sell') && { isSelling: false as const }) };
}
