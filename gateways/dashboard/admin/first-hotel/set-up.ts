import { readPages, read } from '../../api.ts';
import type { PlanView } from '../../revenue/night/terms-api.ts';
import type { Place } from '../section.ts';
import { type PropertySetUp, readProperty } from '../sections/property-body.ts';
import { readRoomTypes, type RoomTypeSetUp } from '../sections/room-reads.ts';

/** What the service has of a property so far: every step begins with it, so that a reload goes on. */
export type SetUp = {
  property: PropertySetUp | undefined;
  types: readonly RoomTypeSetUp[];
  plans: readonly PlanView[];
};

export const NOTHING: SetUp = { property: undefined, types: [], plans: [] };

/** Reads what is set up. @throws ApiError */
export async function readSetUp(place: Place, propertyId: string): Promise<SetUp> {
  const [property, types, plans] = await Promise.all([
    readProperty(place),
    readRoomTypes(place),
    readPages(1, (query) =>
      read<{ items: PlanView[]; nextCursor: string | null }>(place.access, 'rate', '/api/v1/rates/plans', {
        ...query,
        propertyId,
      }),
    ),
  ]);
  return { property, types, plans: plans.toReversed() };
}
