import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import { existing } from '../../../src/kernel/operations/existing.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { putRoomType, removeRoomType, restoreRoomType } from '../../../src/rooms/operations/set-up-rooms.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';
import { renderRoomType } from '../properties/render/property.ts';

/** Room types of a property (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/room-types')
export class RoomTypes {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(propertyAnswers.roomTypeListAnswer)
  @Needs('property.read', 'List room types')
  async list(@ThePropertyRead() { to, response }: PropertyRead) {
    const { setup } = response.stamp(await this.services.properties.view(to));
    return { items: setup.roomTypes.map(renderRoomType), nextCursor: null };
  }

  @Post()
  @Answers(propertyAnswers.roomTypeAnswer, 201)
  @Needs('property.set-up', 'Create a room type')
  async create(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: contract.createRoomTypeBody }) body: contract.CreateRoomTypeBody,
  ) {
    const answer = response.stamp(
      await putRoomType(this.services, caller, to, { code: body.roomType, body, mode: 'create' }, key),
    );
    const path = `/api/v1/tenants/${to.tenantId}/properties/${to.propertyId}/room-types/${body.roomType}`;
    response.header('location', path);
    return renderRoomType(answer.result);
  }

  @Get(':roomType')
  @Answers(propertyAnswers.roomTypeAnswer)
  @Needs('property.read', 'Read a room type')
  async get(@ThePropertyRead() { to, response }: PropertyRead, @Param('roomType') code: string) {
    const { setup } = response.stamp(await this.services.properties.view(to));
    return renderRoomType(
      existing(
        setup.roomTypes.find(({ roomType }) => roomType === code),
        'ROOM_TYPE_NOT_FOUND',
      ),
    );
  }

  @Put(':roomType')
  @Answers(propertyAnswers.roomTypeAnswer)
  @Needs('property.set-up', 'Change a room type')
  async replace(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('roomType') code: string,
    @Body({ schema: contract.updateRoomTypeBody }) body: contract.UpdateRoomTypeBody,
  ) {
    const answer = response.stamp(await putRoomType(this.services, caller, to, { code, body, mode: 'replace' }, key));
    return renderRoomType(answer.result);
  }

  /** Restores a room type with its count and rooms; its nights are new, without rates. */
  @Post(':roomType/restore')
  @Answers(propertyAnswers.roomTypeAnswer)
  @Needs('property.set-up', 'Restore a deleted room type')
  async restore(@ThePropertyWrite() { caller, to, key, response }: PropertyWrite, @Param('roomType') code: string) {
    const answer = response.stamp(await restoreRoomType(this.services, caller, to, code, key));
    return renderRoomType(answer.result);
  }

  @Delete(':roomType')
  @Answers(answers.removed)
  @Needs('property.set-up', 'Delete a room type')
  async remove(@ThePropertyWrite() { caller, to, key, response }: PropertyWrite, @Param('roomType') code: string) {
    response.stamp(await removeRoomType(this.services, caller, to, code, key));
    return { id: code, status: 'REMOVED' as const };
  }
}
