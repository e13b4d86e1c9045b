import type { Address } from '../../kernel/rules/caller.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Media types of photos that are stored and served, by what their first bytes say. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

/** Photos of a property, with those of its room types (docs/reference/photos.md#photos). */
export const MAX_PHOTOS = 20;
/** Bytes of one photo. */
export const MAX_PHOTO_BYTES = 3 * 1024 * 1024;
/** Pixels of a side: a browser needs four bytes of memory for each pixel. */
export const MAX_PHOTO_SIDE = 8_000;

/** Address of the content on the listener of the pages; what is under it never changes. */
export const photoPath = ({ tenantId, propertyId }: Address, photoId: string): string =>
  `/book/${encodeURIComponent(tenantId)}/${encodeURIComponent(propertyId)}/photos/${photoId}`;

/** What is known of a photo beside its content. */
export type Photo = {
  /** Hash of the content, as it is served. */
  photoId: string;
  /** Absent for one of the property itself. */
  roomType?: string;
  mediaType: PhotoType;
  width: number;
  height: number;
  /** What it shows, for who cannot see it. */
  alt: string;
  /** Photos are shown in this order. */
  position: number;
  createdAt: Instant;
};
