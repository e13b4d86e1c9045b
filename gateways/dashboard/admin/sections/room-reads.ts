import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type {
  roomAnswer,
  roomListAnswer,
  roomTypeAnswer,
  roomTypeListAnswer,
} from '../../../../src/properties/contracts/property-answers.ts';
import { read, readPages } from '../../api.ts';
import { locale } from '../../language/texts.ts';
import type { Place } from '../section.ts';
import { MAX_PAGES } from './property-body.ts';

export type RoomTypeSetUp = WireOf<typeof roomTypeAnswer>;
export type RoomSetUp = WireOf<typeof roomAnswer>;
type RoomList = WireOf<typeof roomListAnswer>;

/** Room types of the chosen property. @throws ApiError */
export async function readRoomTypes({ access, propertyPath }: Place): Promise<readonly RoomTypeSetUp[]> {
  const path = `${propertyPath}/room-types`;
  return (await read<WireOf<typeof roomTypeListAnswer>>(access, 'reservation', path)).items;
}

/** Rooms of the chosen property by number. @throws ApiError */
export async function readRooms({ access, propertyPath }: Place): Promise<RoomSetUp[]> {
  const found = await readPages(MAX_PAGES, (query) =>
    read<RoomList>(access, 'reservation', `${propertyPath}/rooms`, query),
  );
  const order = new Intl.Collator(locale, { numeric: true });
  return found.sort((one, other) => order.compare(one.roomNumber, other.roomNumber));
}
