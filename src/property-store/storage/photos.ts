import type { EntityManager } from '@mikro-orm/postgresql';

import type { By } from '../../kernel/rules/administration.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { PropertyId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import type { Database } from '../../platform/database/database.ts';
import { ms } from '../../platform/database/load-sql.ts';
import { present } from '../../platform/database/row-values.ts';
import type { PhotoStore } from '../../properties/ports.ts';
import { MAX_PHOTOS, type Photo, type PhotoType } from '../../properties/rules/photo.ts';
import { appendAdministration, takeTurn } from '../../tenants/storage/administration-journal.ts';

const PHOTOS = `
  select photo_id as "photoId", room_type as "roomType", media_type as "mediaType", width, height, alt, position,
    ${ms('created_at')} as "createdAt"
  from property_photos where tenant_id = ? and property_id = ?`;
const LIST = `${PHOTOS} order by position, created_at, photo_id`;
const ONE = `${PHOTOS} and photo_id = ?`;
const CONTENT = `
  select media_type as "mediaType", content from property_photos
  where tenant_id = ? and property_id = ? and photo_id = ?`;
const PROPERTY = 'select 1 from properties where tenant_id = ? and property_id = ? and deleted_at is null';
const ROOM_TYPE = `
  select 1 from room_types where tenant_id = ? and property_id = ? and room_type = ? and deleted_at is null`;
const ADD = `
  insert into property_photos (tenant_id, property_id, photo_id, room_type, media_type, width, height, alt, position,
    content, created_by, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, decode(?, 'base64'), ?, ?::timestamptz)`;
const CHANGE = `
  update property_photos set room_type = ?, alt = ?, position = ?
  where tenant_id = ? and property_id = ? and photo_id = ?`;
const REMOVE = 'delete from property_photos where tenant_id = ? and property_id = ? and photo_id = ?';

type Row = Omit<Photo, 'roomType'> & { roomType: string | null };

/** Photos in PostgreSQL, within their tenant. */
export function databasePhotos(database: Database): PhotoStore {
  return {
    list: ({ tenantId, propertyId }) =>
      database.readTenant(tenantId, async (em) => {
        await mustBe(em, { tenantId }, propertyId);
        return photosIn(em, tenantId, propertyId);
      }),
    async content({ tenantId, propertyId }, photoId) {
      type Found = { mediaType: PhotoType; content: Buffer };
      const rows = await database.readTenant(tenantId, (em) =>
        em.execute<Found[]>(CONTENT, [tenantId, propertyId, photoId]),
      );
      return rows[0];
    },
    add: (by, propertyId, photo, content) =>
      database.inTenant(by.tenantId, async (em) => {
        await takeTurn(em, by.tenantId);
        await mustBe(em, by, propertyId, photo.roomType);
        const all = await photosIn(em, by.tenantId, propertyId);
        const same = all.find(({ photoId }) => photoId === photo.photoId);
        if (same) return { photo: same, wasThere: true };
        if (all.length >= MAX_PHOTOS)
          throw new DomainError('INVALID_STATE', `The property has ${MAX_PHOTOS} photos, which is the most.`);
        const added: Photo = { ...photo, position: (all.at(-1)?.position ?? 0) + 1 };
        const { photoId, roomType = null, mediaType, width, height, alt, position, createdAt } = added;
        const what = [
          photoId,
          roomType,
          mediaType,
          width,
          height,
          alt,
          position,
          Buffer.from(content).toString('base64'),
        ];
        await em.execute(ADD, [by.tenantId, propertyId, ...what, by.subject, formatInstant(createdAt)]);
        await note(em, by, propertyId, 'CREATED', undefined, added);
        return { photo: added, wasThere: false };
      }),
    change: (by, propertyId, photoId, change) =>
      database.inTenant(by.tenantId, async (em) => {
        const before = await current(em, by, propertyId, photoId);
        const { roomType: given, ...others } = change;
        const { roomType: had, ...kept } = before;
        const roomType = given === undefined ? had : (given ?? undefined);
        if (given) await mustBe(em, by, propertyId, given);
        const after: Photo = { ...kept, ...others, ...(roomType !== undefined && { roomType }) };
        const where = [by.tenantId, propertyId, photoId];
        await em.execute(CHANGE, [roomType ?? null, after.alt, after.position, ...where]);
        await note(em, by, propertyId, 'CHANGED', before, after);
        return after;
      }),
    remove: (by, propertyId, photoId) =>
      database.inTenant(by.tenantId, async (em) => {
        const before = await current(em, by, propertyId, photoId);
        await em.execute(REMOVE, [by.tenantId, propertyId, photoId]);
        await note(em, by, propertyId, 'REMOVED', before);
      }),
  };
}

async function photosIn(em: EntityManager, tenantId: string, propertyId: PropertyId): Promise<Photo[]> {
  return (await em.execute<Row[]>(LIST, [tenantId, propertyId])).map(photoOf);
}

/** Reads a photo and locks it until the end of the transaction. @throws DomainError PHOTO_NOT_FOUND */
async function current(em: EntityManager, { tenantId }: By, propertyId: PropertyId, photoId: string): Promise<Photo> {
  await takeTurn(em, tenantId);
  const [row] = await em.execute<Row[]>(ONE, [tenantId, propertyId, photoId]);
  if (!row) throw new DomainError('PHOTO_NOT_FOUND', 'The property has no such photo.');
  return photoOf(row);
}

async function mustBe(
  em: EntityManager,
  { tenantId }: Pick<By, 'tenantId'>,
  propertyId: PropertyId,
  roomType?: string,
): Promise<void> {
  const [property] = await em.execute<unknown[]>(PROPERTY, [tenantId, propertyId]);
  if (!property) throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  if (roomType === undefined) return;
  const [type] = await em.execute<unknown[]>(ROOM_TYPE, [tenantId, propertyId, roomType]);
  if (!type) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${roomType}.`);
}

function photoOf({ roomType, ...row }: Row): Photo {
  const of = present(roomType);
  return { ...row, ...(of !== undefined && { roomType: of }) };
}

/** The journal has what is said of a photo, and no content. */
function note(
  em: EntityManager,
  by: By,
  propertyId: PropertyId,
  action: string,
  before: Photo | undefined,
  after?: Photo,
): Promise<void> {
  const entityId = `${propertyId}/${(before ?? after)!.photoId}`;
  return appendAdministration(em, by, { entity: 'photo', entityId, action, before, after });
}
