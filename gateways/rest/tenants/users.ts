import { Controller } from '@nestjs/common';

import { createUserBody, updateUserBody, userAnswer } from '../../../src/tenants/contracts/tenants.ts';
import * as users from '../../../src/tenants/operations/set-up-users.ts';
import { recordRoutes } from './record-routes.ts';
import { renderUser } from './render/tenant.ts';

/**
 * Who is known to a tenant (docs/reference/set-up.md#tenant). Taking rights away is never forbidden for what the tenant
 * owes.
 */
@Controller('api/v1/tenants/:tenantId/users')
export class Users extends recordRoutes({
  id: 'userId',
  needs: { read: 'tenant.read', set: 'user.set', remove: 'user.remove' },
  summaries: {
    list: 'List users',
    create: 'Add a user',
    get: 'Read a user',
    update: 'Change a user',
    remove: 'Remove a user',
    restore: 'Restore a removed user',
  },
  createBody: createUserBody,
  updateBody: updateUserBody,
  answer: userAnswer,
  render: renderUser,
  operations: (services, caller) => ({
    list: (query) => users.listUsers(services, caller.tenantId, query),
    create: (body, key) => users.createUser(services, caller, body, key),
    get: (id) => users.getUser(services, caller.tenantId, id),
    update: (id, body, key) => users.changeUser(services, caller, id, body, key),
    remove: (id, key) => users.removeUser(services, caller, id, key),
    restore: (id, key) => users.restoreUser(services, caller, id, key),
  }),
}) {}
