import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { z } from 'zod';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Address } from '../../../src/kernel/rules/caller.ts';
import {
  photoAnswer,
  type PhotoChangeBody,
  photoChangeBody,
  photoListAnswer,
  type PhotoQuery,
  photoQuery,
} from '../../../src/properties/contracts/photos.ts';
import { addPhoto } from '../../../src/properties/operations/photos.ts';
import { type Photo, photoPath } from '../../../src/properties/rules/photo.ts';
import { type AnswerOf, Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs, StaysHere, TakesPhoto } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';

const photoBody = z
  .custom<Buffer>((body) => Buffer.isBuffer(body) && body.length > 0, 'is no photo')
  .meta({ type: 'string', format: 'binary' });

/** Photos of a property and of its room types (docs/reference/photos.md#photos). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/photos')
export class Photos {
  @Inject(SERVICES) protected readonly services!: Services;

  /** In the order in which they are shown. */
  @Get()
  @Answers(photoListAnswer)
  @Needs('property.read', 'List the photos of a property')
  @StaysHere()
  async list(@ThePropertyRead() { to }: PropertyRead) {
    const items = await this.services.photos.list(to);
    return { items: items.map((photo) => renderPhoto(to, photo)), nextCursor: null };
  }

  /** Adds the photo of the body; sent again, it is there once. */
  @Post()
  @Answers(photoAnswer, 201)
  @OrWithStatus(photoAnswer, 200, 'It was there')
  @Needs('property.set-up', 'Add a photo')
  @TakesPhoto()
  @ApiConsumes('image/jpeg', 'image/png', 'image/webp', 'image/avif')
  @StaysHere()
  async add(
    @ThePropertyRead() { caller, to, response }: PropertyRead,
    @Query({ schema: photoQuery }) query: PhotoQuery,
    @Body({ schema: photoBody }) bytes: Buffer,
  ) {
    const { photo, wasThere } = await addPhoto(this.services, caller, to, query, bytes);
    if (wasThere) response.status(200);
    return renderPhoto(to, photo);
  }

  /** Changes what is said of a photo, and its place in the order. */
  @Put(':photoId')
  @Answers(photoAnswer)
  @Needs('property.set-up', 'Change a photo')
  @StaysHere()
  async change(
    @ThePropertyRead() { caller, to }: PropertyRead,
    @Param('photoId') photoId: string,
    @Body({ schema: photoChangeBody }) body: PhotoChangeBody,
  ) {
    return renderPhoto(to, await this.services.photos.change(caller, to.propertyId, photoId, body));
  }

  @Delete(':photoId')
  @Answers(removed)
  @Needs('property.set-up', 'Delete a photo')
  @StaysHere()
  async remove(@ThePropertyRead() { caller, to }: PropertyRead, @Param('photoId') photoId: string) {
    await this.services.photos.remove(caller, to.propertyId, photoId);
    return { id: photoId, status: 'REMOVED' as const };
  }
}

function renderPhoto(to: Address, { roomType, ...photo }: Photo): AnswerOf<typeof photoAnswer> {
  return { ...photo, roomType: roomType ?? null, url: photoPath(to, photo.photoId) };
}
