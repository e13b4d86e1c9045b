import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/tenants/contracts/tenants.ts';
import { inviteUser, listInvitations, revokeInvitation } from '../../../src/tenants/operations/invite-users.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderInvitation } from './render/tenant.ts';

/** Colleagues who are known by a mail address until they sign in (docs/reference/set-up.md#invitations). */
@Controller('api/v1/tenants/:tenantId/invitations')
export class UserInvitations {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(contract.invitationListAnswer)
  @Needs('tenant.read', 'List invitations')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.recordsQuery }) query: contract.RecordsQuery,
  ) {
    const { items, nextCursor } = await listInvitations(this.services, caller.tenantId, query);
    return response.list(items.map(renderInvitation), nextCursor);
  }

  /** Replaces an earlier invitation of the address; it can be used once, within seven days. */
  @Post()
  @Answers(contract.invitationAnswer, 201)
  @Needs('user.set', 'Invite a user')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.createInvitationBody }) body: contract.CreateInvitationBody,
  ) {
    const { result } = response.stamp(await inviteUser(this.services, caller, body, key));
    response.header('location', `/api/v1/tenants/${caller.tenantId}/invitations/${result.id}`);
    return renderInvitation(result);
  }

  @Delete(':invitationId')
  @Answers(removed)
  @Needs('user.remove', 'Revoke an invitation')
  async revoke(@TheWrite() { caller, key, response }: Write, @Param('invitationId') id: string) {
    response.stamp(await revokeInvitation(this.services, caller, id, key));
    return { id, status: 'REMOVED' as const };
  }
}
