import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { sum } from '../../../src/kernel/rules/figures.ts';
import type { PropertyId } from '../../../src/kernel/rules/ids.ts';
import * as contract from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { listProperties } from '../../../src/properties/operations/list-properties.ts';
import {
  createProperty,
  deleteProperty,
  restoreProperty,
  updateProperty,
} from '../../../src/properties/operations/set-up-property.ts';
import type { RoomType } from '../../../src/properties/rules/property.ts';
import type { Sandboxes } from '../../../src/sandbox/ports.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { SANDBOXES } from '../sandbox/sandbox.ts';
import { renderProperty } from './render/property.ts';

/** Properties of a tenant (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties')
export class Properties {
  @Inject(SERVICES) protected readonly services!: Services;
  @Inject(SANDBOXES) protected readonly sandboxes!: Sandboxes;

  @Get()
  @Answers(propertyAnswers.propertyListAnswer)
  @Needs('property.read', 'List properties')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.pageQuery }) query: contract.PageQuery,
  ) {
    const { items, nextCursor } = await listProperties(this.services, caller, query);
    const shown = items.map(({ property, totalRooms }) => renderProperty(property, totalRooms));
    return response.list(shown, nextCursor);
  }

  @Post()
  @Answers(propertyAnswers.propertyAnswer, 201)
  @Needs('property.set-up', 'Create a property')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.createPropertyBody }) body: contract.CreatePropertyBody,
  ) {
    const answer = response.stamp(await createProperty(this.services, caller, body, key));
    response.header('location', `/api/v1/tenants/${caller.tenantId}/properties/${answer.result.propertyId}`);
    return renderProperty(answer.result, 0);
  }

  @Get(':propertyId')
  @Answers(propertyAnswers.propertyAnswer)
  @Needs('property.read', 'Read a property')
  async get(@TheRead() { caller: { tenantId }, response }: Read, @Param('propertyId') propertyId: PropertyId) {
    const { setup } = response.stamp(await this.services.properties.view({ tenantId, propertyId }));
    return renderProperty(setup.property, roomsOf(setup));
  }

  @Put(':propertyId')
  @Answers(propertyAnswers.propertyAnswer)
  @Needs('property.set-up', 'Change a property')
  async update(
    @TheWrite() { caller, key, response }: Write,
    @Param('propertyId') propertyId: PropertyId,
    @Body({ schema: contract.updatePropertyBody }) body: contract.UpdatePropertyBody,
  ) {
    const answer = response.stamp(await updateProperty(this.services, caller, propertyId, body, key));
    return renderProperty(answer.result, await this.#totalRooms(caller, propertyId));
  }

  /** Restores a property exactly as it was. */
  @Post(':propertyId/restore')
  @Answers(propertyAnswers.propertyAnswer)
  @Needs('property.set-up', 'Restore a deleted property')
  async restore(@TheWrite() { caller, key, response }: Write, @Param('propertyId') propertyId: PropertyId) {
    const answer = response.stamp(await restoreProperty(this.services, caller, propertyId, key));
    return renderProperty(answer.result, await this.#totalRooms(caller, propertyId));
  }

  /** Deletes a property, and behind the answer its sandbox. */
  @Delete(':propertyId')
  @Answers(answers.removed)
  @Needs('property.set-up', 'Delete a property')
  async remove(@TheWrite() { caller, key, response }: Write, @Param('propertyId') propertyId: PropertyId) {
    response.stamp(await deleteProperty(this.services, caller, propertyId, key));
    await this.sandboxes.endWithProperty(caller, { tenantId: caller.tenantId, propertyId });
    return { id: propertyId, status: 'REMOVED' as const };
  }

  /** A property that was deleted since has none. */
  async #totalRooms({ tenantId }: Caller, propertyId: PropertyId): Promise<number> {
    return (await this.services.propertyReader.totalRooms(tenantId, [propertyId])).get(propertyId) ?? 0;
  }
}

const roomsOf = ({ roomTypes }: { roomTypes: readonly RoomType[] }): number =>
  sum(roomTypes, ({ totalRooms }) => totalRooms);
