import type { By } from '../kernel/rules/administration.ts';
import type { Address } from '../kernel/rules/caller.ts';
import type { PropertyId } from '../kernel/rules/ids.ts';
import type { Photo } from './rules/photo.ts';

/** Members of a photo that may change after it was sent. */
type PhotoChange = Partial<Pick<Photo, 'alt' | 'position'>> & { roomType?: string | null };

/** Photos of a property. No actor owns them: nothing is decided by them. */
export interface PhotoStore {
  /** In their order. */
  list(of: Address): Promise<Photo[]>;
  /**
   * Adds a photo, and writes it to the administration journal. A content that is there already is not added again.
   * @returns the stored one, and whether it was there before
   * @throws DomainError PROPERTY_NOT_FOUND, UNKNOWN_ROOM_TYPE, INVALID_STATE when there are too many
   */
  add(by: By, propertyId: PropertyId, photo: Omit<Photo, 'position'>, content: Uint8Array): Promise<AddedPhoto>;
  /** @throws DomainError PHOTO_NOT_FOUND, UNKNOWN_ROOM_TYPE */
  change(by: By, propertyId: PropertyId, photoId: string, change: PhotoChange): Promise<Photo>;
  /** @throws DomainError PHOTO_NOT_FOUND */
  remove(by: By, propertyId: PropertyId, photoId: string): Promise<void>;
  content(of: Address, photoId: string): Promise<(Pick<Photo, 'mediaType'> & { content: Uint8Array }) | undefined>;
}

export type AddedPhoto = { photo: Photo; wasThere: boolean };
