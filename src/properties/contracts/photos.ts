import { z } from 'zod';

import { at, count } from '../../kernel/contracts/answers.ts';
import { optionalRoomType, text, textOr } from '../../kernel/contracts/fields.ts';
import { MAX_PHOTOS, PHOTO_TYPES } from '../rules/photo.ts';

/** Characters of what a photo shows. */
const MAX_ALT = 300;

export const photoQuery = z.object({
  roomType: optionalRoomType.describe('Room type that it shows; the property itself when absent.'),
  alt: textOr(MAX_ALT, '').describe('What it shows, for guests who cannot see it.'),
});
export type PhotoQuery = z.infer<typeof photoQuery>;

export const photoChangeBody = z.strictObject({
  roomType: text(50).nullable().optional().describe('Null makes it one of the property itself.'),
  alt: z.string().trim().max(MAX_ALT).optional(),
  position: z.int().min(0).max(1_000).optional().describe('Photos are shown in this order.'),
});
export type PhotoChangeBody = z.infer<typeof photoChangeBody>;

export const photoAnswer = z.object({
  photoId: z.string(),
  roomType: z.string().nullable(),
  mediaType: z.enum(PHOTO_TYPES),
  width: count,
  height: count,
  alt: z.string(),
  position: count,
  url: z.string().describe('Path on the listener of the pages; the content under it never changes.'),
  createdAt: at,
});

export const photoListAnswer = z.object({
  items: z.array(photoAnswer).max(MAX_PHOTOS),
  nextCursor: z.null(),
});
