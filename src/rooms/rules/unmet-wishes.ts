import type { Day } from '../../kernel/rules/dates.ts';
import { isClosedIn, type NightRange, type PlanRoom, type PlanStay, type RoomPlan } from './room-plan.ts';
import { fitsStay, type Floors, meetsWish, type RoomWish } from './room-wishes.ts';
import { nightsFromToday, othersIn } from './rooms-of-type.ts';

/** Why a room does not meet a wish (docs/reference/bookings.md#unmet-wishes). */
export const UNMET_REASONS = ['NO_SUCH_ROOM', 'CLOSED', 'TAKEN', 'OUTWEIGHED'] as const;
type UnmetReason = (typeof UNMET_REASONS)[number];

/** A wish that the room of a stay does not meet, as it was when the room was assigned. */
export type UnmetWish = Pick<RoomWish, 'kind' | 'value'> & { reason: UnmetReason };

/** The sentences that explain the reasons to people. */
const TEXTS: Record<UnmetReason, string> = {
  NO_SUCH_ROOM: 'No room of the type meets it.',
  CLOSED: 'Each room that meets it is out of order on one of the nights.',
  TAKEN: 'Each room that meets it has another stay or is out of order on one of the nights.',
  OUTWEIGHED:
    'A room that meets it was free, but it was not ready at check-in, other wishes weigh more, or it is needed to give ' +
    'every stay a room.',
};
const CONNECTING_TEXTS: Record<UnmetReason, string> = {
  NO_SUCH_ROOM: 'No room of the type connects to one for another stay of the booking or group that wishes it too.',
  CLOSED: 'Each pair of connecting rooms has one that is out of order on one of the nights.',
  TAKEN: 'Each pair of connecting rooms has another stay or is out of order on one of the nights.',
  OUTWEIGHED:
    'Connecting rooms were free, but the other stay has no room yet, one was not ready at check-in, other wishes weigh ' +
    'more, or they are needed to give every stay a room.',
};
const BY_HAND = 'A room that meets it was free, and another one was chosen by hand.';

export function unmetText({ kind, reason }: UnmetWish, isByHand: boolean): string {
  if (isByHand && reason === 'OUTWEIGHED') return BY_HAND;
  return (kind === 'CONNECTING' ? CONNECTING_TEXTS : TEXTS)[reason];
}

/** What the reasons follow from: rooms and stays as they were before the assignment. */
type BeforeAssignment = { plan: RoomPlan; today: Day; floors: Floors };

/** Another stay that wishes CONNECTING too: the type of its room, and the room where it had one before. */
export type Partner = { stay: PlanStay; roomType: string; roomNumber?: string };

/**
 * Wishes that the room of a stay does not meet, each with the reason: CLOSED and TAKEN are about all rooms of the type
 * that meet it; where one was free, it is OUTWEIGHED.
 * @param isConnected whether the room connects to that of a partner
 */
export function unmetWishes(
  stay: PlanStay,
  room: PlanRoom,
  before: BeforeAssignment,
  { isConnected, partners }: { isConnected: boolean; partners: readonly Partner[] },
): UnmetWish[] {
  const { plan, floors } = before;
  const ofType = [...plan.rooms.values()].filter((one) => one.roomType === room.roomType);
  return (stay.wishes ?? []).flatMap(({ kind, value }): UnmetWish[] => {
    const wish = { kind, ...(value !== undefined && { value }) };
    if (kind === 'CONNECTING' ? isConnected : meetsWish(room, wish, floors)) return [];
    const states =
      kind === 'CONNECTING'
        ? pairsOf(ofType, plan, partners).map(([own, other, partner]) =>
            worse(stateFor(stay, own, before), stateFor(partner.stay, other, before, partner)),
          )
        : ofType.filter((one) => meetsWish(one, wish, floors)).map((one) => stateFor(stay, one, before));
    return [{ ...wish, reason: reasonOf(states) }];
  });
}

type RoomState = 'FREE' | 'TAKEN' | 'CLOSED';

/** A room that does not meet a required wish is none for the stay. */
function stateFor(
  stay: PlanStay,
  room: PlanRoom,
  { plan, today, floors }: BeforeAssignment,
  partner?: Partner,
): RoomState {
  if (partner?.roomNumber === room.roomNumber) return 'FREE';
  const nights: NightRange = nightsFromToday(stay, today);
  if (isClosedIn(room, nights)) return 'CLOSED';
  return fitsStay(room, stay, floors) && othersIn(plan, room.roomNumber, stay, today).length === 0 ? 'FREE' : 'TAKEN';
}

const worse = (a: RoomState, b: RoomState): RoomState => (a === 'FREE' ? b : a);

function reasonOf(states: readonly RoomState[]): UnmetReason {
  if (states.length === 0) return 'NO_SUCH_ROOM';
  if (states.includes('FREE')) return 'OUTWEIGHED';
  return states.every((state) => state === 'CLOSED') ? 'CLOSED' : 'TAKEN';
}

/** Rooms of a type with those that they connect to, which a partner has or could have. */
function pairsOf(
  ofType: readonly PlanRoom[],
  plan: RoomPlan,
  partners: readonly Partner[],
): [own: PlanRoom, other: PlanRoom, partner: Partner][] {
  return ofType.flatMap((own) =>
    (own.connectsTo ?? []).flatMap((number) => {
      const other = plan.rooms.get(number);
      if (!other) return [];
      return partners
        .filter(({ roomType, roomNumber }) =>
          roomNumber === undefined ? roomType === other.roomType : roomNumber === number,
        )
        .map((partner): [PlanRoom, PlanRoom, Partner] => [own, other, partner]);
    }),
  );
}
