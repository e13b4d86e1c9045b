import { Controller } from '@nestjs/common';

import * as mappings from '../../../src/channels/operations/set-up-mappings.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import { channelMappingAnswer, channelMappingBody } from '../../../src/tenants/contracts/tenants.ts';
import { recordRoutes } from '../tenants/record-routes.ts';
import { mappingAnswer } from '../tenants/render/tenant.ts';

/** Mappings of a property's room types to those of a channel (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/channel-mappings')
export class ChannelMappings extends recordRoutes({
  id: 'mappingId',
  needs: { read: 'admin.read', set: 'property.set-up', remove: 'property.set-up' },
  summaries: {
    list: 'List channel mappings',
    create: 'Create a channel mapping',
    get: 'Read a channel mapping',
    update: 'Change a channel mapping',
    remove: 'Delete a channel mapping',
    restore: 'Restore a deleted channel mapping',
  },
  createBody: channelMappingBody,
  updateBody: channelMappingBody,
  answer: channelMappingAnswer,
  render: mappingAnswer,
  operations(services, caller, path) {
    const { tenantId } = caller;
    const propertyId = path['propertyId'] as PropertyId;
    return {
      list: (query) => mappings.listMappings(services, { tenantId, propertyId }, query),
      create: (body, key) => mappings.createMapping(services, caller, propertyId, body, key),
      get: (id) => mappings.getMapping(services, { tenantId, propertyId }, id),
      update: (id, body, key) => mappings.changeMapping(services, caller, propertyId, id, body, key),
      remove: (id, key) => mappings.removeMapping(services, caller, propertyId, id, key),
      restore: (id, key) => mappings.restoreMapping(services, caller, propertyId, id, key),
    };
  },
}) {}
