import { Controller } from '@nestjs/common';

import {
  associationAnswer,
  createAssociationBody,
  updateAssociationBody,
} from '../../../src/tenants/contracts/tenants.ts';
import * as associations from '../../../src/tenants/operations/set-up-associations.ts';
import { recordRoutes } from './record-routes.ts';
import { renderAssociation } from './render/tenant.ts';

/**
 * Who may do what in a tenant (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do): a change holds
 * within 30 s, also for sockets that are open.
 */
@Controller('api/v1/tenants/:tenantId/associations')
export class UserAssociations extends recordRoutes({
  id: 'associationId',
  needs: { read: 'tenant.read', set: 'user.set', remove: 'user.remove' },
  summaries: {
    list: 'List roles of users',
    create: 'Give a user a role',
    get: 'Read the role of a user',
    update: 'Change the role of a user',
    remove: 'Take the role of a user away',
    restore: 'Restore a removed role',
  },
  createBody: createAssociationBody,
  updateBody: updateAssociationBody,
  answer: associationAnswer,
  render: renderAssociation,
  operations: (services, caller) => ({
    list: (query) => associations.listAssociations(services, caller.tenantId, query),
    create: (body, key) => associations.associate(services, caller, body, key),
    get: (id) => associations.getAssociation(services, caller.tenantId, id),
    update: (id, { role }, key) => associations.changeRole(services, caller, id, role, key),
    remove: (id, key) => associations.dissociate(services, caller, id, key),
    restore: (id, key) => associations.restoreAssociation(services, caller, id, key),
  }),
}) {}
