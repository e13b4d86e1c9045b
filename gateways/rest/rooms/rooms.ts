import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import * as answers from '../../../src/kernel/contracts/answers.ts';
import { existing } from '../../../src/kernel/operations/existing.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/properties/contracts/properties.ts';
import * as propertyAnswers from '../../../src/properties/contracts/property-answers.ts';
import { listRooms } from '../../../src/rooms/operations/read-rooms.ts';
import { putRoom, removeRoom, restoreRoom, setRoomStatus } from '../../../src/rooms/operations/set-up-rooms.ts';
import { Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, type PropertyWrite, SERVICES, ThePropertyRead, ThePropertyWrite } from '../answer.ts';
import { renderRoom } from '../properties/render/property.ts';

/** Rooms of a property (docs/reference/set-up.md#property). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/rooms')
export class Rooms {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(propertyAnswers.roomListAnswer)
  @Needs('property.read', 'List rooms')
  async list(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Query({ schema: contract.pageQuery }) query: contract.PageQuery,
  ) {
    const { items, nextCursor } = response.stamp(await listRooms(this.services, to, query));
    return response.list(items.map(renderRoom), nextCursor);
  }

  @Post()
  @Answers(propertyAnswers.roomAnswer, 201)
  @Needs('property.set-up', 'Create a room')
  async create(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Body({ schema: contract.createRoomBody }) body: contract.CreateRoomBody,
  ) {
    const answer = await response.actor(
      putRoom(this.services, caller, to, { roomNumber: body.roomNumber, body, mode: 'create' }, key),
    );
    const path = `/api/v1/tenants/${to.tenantId}/properties/${to.propertyId}/rooms/${body.roomNumber}`;
    response.header('location', path);
    return renderRoom(answer.result);
  }

  @Get(':roomNumber')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('property.read', 'Read a room')
  async get(@ThePropertyRead() { to, response }: PropertyRead, @Param('roomNumber') number: string) {
    const { setup } = response.stamp(await this.services.properties.view(to));
    const found = setup.rooms.find(({ roomNumber }) => roomNumber === number);
    return renderRoom(existing(found, 'ROOM_NOT_FOUND'));
  }

  @Put(':roomNumber')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('property.set-up', 'Change a room')
  async replace(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('roomNumber') number: string,
    @Body({ schema: contract.updateRoomBody }) body: contract.UpdateRoomBody,
  ) {
    const put = putRoom(this.services, caller, to, { roomNumber: number, body, mode: 'replace' }, key);
    return renderRoom((await response.actor(put)).result);
  }

  /** Sets the housekeeping status of a room. */
  @Put(':roomNumber/status')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('room.status', 'Set the status of a room')
  async status(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('roomNumber') number: string,
    @Body({ schema: contract.roomStatusBody }) body: contract.RoomStatusBody,
  ) {
    return renderRoom((await response.actor(setRoomStatus(this.services, caller, to, number, body, key))).result);
  }

  @Post(':roomNumber/restore')
  @Answers(propertyAnswers.roomAnswer)
  @Needs('property.set-up', 'Restore a deleted room')
  async restore(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('roomNumber') number: string,
  ) {
    return renderRoom((await response.actor(restoreRoom(this.services, caller, to, number, key))).result);
  }

  @Delete(':roomNumber')
  @Answers(answers.removed)
  @Needs('property.set-up', 'Delete a room')
  async remove(
    @ThePropertyWrite() { caller, to, key, response }: PropertyWrite,
    @Param('roomNumber') number: string,
  ) {
    await response.actor(removeRoom(this.services, caller, to, number, key));
    return { id: number, status: 'REMOVED' as const };
  }
}
