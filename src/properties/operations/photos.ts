import { hash } from 'node:crypto';

import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PhotoQuery } from '../contracts/photos.ts';
import type { AddedPhoto } from '../ports.ts';
import { type ImageFault, readImage } from '../rules/image-bytes.ts';
import { MAX_PHOTO_SIDE } from '../rules/photo.ts';

/** Hexadecimal digits of the hash in an address: 128 bits. */
const ID_DIGITS = 32;

const FAULTS: Record<ImageFault, string> = {
  FORMAT: 'Send a photo as JPEG, PNG, WebP or AVIF.',
  BROKEN: 'The photo is damaged, or not complete.',
  LOCATION: 'The AVIF has metadata, which may say where it was taken. Send it without, or as JPEG, PNG or WebP.',
};

/**
 * Adds a photo to a property or one of its room types, without what its camera has written into it
 * (docs/reference/photos.md#photos).
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE, INVALID_STATE
 */
export async function addPhoto(
  { photos, clock }: Pick<Services, 'photos' | 'clock'>,
  caller: Caller,
  { propertyId }: Address,
  { roomType, alt }: PhotoQuery,
  bytes: Uint8Array,
): Promise<AddedPhoto> {
  const image = readImage(bytes);
  if (typeof image === 'string') throw new DomainError('UNSUPPORTED_MEDIA_TYPE', FAULTS[image]);
  const { content, ...shown } = image;
  if (Math.max(shown.width, shown.height) > MAX_PHOTO_SIDE || Math.min(shown.width, shown.height) < 1)
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `The sides of a photo have 1 to ${MAX_PHOTO_SIDE} pixels.`);
  const photoId = hash('sha256', content, 'hex').slice(0, ID_DIGITS);
  const photo = { photoId, ...shown, alt, createdAt: clock.now(), ...(roomType !== undefined && { roomType }) };
  return photos.add(caller, propertyId, photo, content);
}
