import type { Minor } from '../../kernel/rules/money.ts';
import { type RoomType, sleepsParty } from '../../properties/rules/property.ts';

type Guests = { roomType: string; adults: number; children: number };

/** Types that cost more tonight and that the guests fit into, the nearest first (docs/concepts/rooms.md#check-in). */
export function upgradeCandidates(
  types: Iterable<RoomType>,
  { roomType: booked, ...party }: Guests,
  tonight: (roomType: string) => Minor | null | undefined,
): string[] {
  const price = (type: string): number => tonight(type) ?? -1;
  return [...types]
    .filter(({ roomType }) => roomType !== booked && price(roomType) > price(booked))
    .filter((type) => sleepsParty(type, party))
    .sort((a, b) => price(a.roomType) - price(b.roomType))
    .map(({ roomType }) => roomType);
}
