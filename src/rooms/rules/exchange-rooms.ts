import type { Day } from '../../kernel/rules/dates.ts';
import { connects, Parties } from './connecting-rooms.ts';
import type { StayPlacement } from './place-stays.ts';
import { fitsIn, type PackingRoom, type PackingStay } from './room-packing.ts';
import { type NightRange, type PlanRoom, type PlanStay, type RoomPlan, shareNights } from './room-plan.ts';
import { A_WEIGHT, type Floors, wishScore, wishes } from './room-wishes.ts';
import { byRight, nightsFromToday } from './rooms-of-type.ts';

/** Room checks that all exchanges may take: some 0.5 s. */
const MAX_LOOKS = 6_000_000;

/** Room checks of one attempted exchange. */
const AN_EXCHANGE = 20;

/** Pairs of connecting rooms, the most wanted first, for which those in the way may move to any free room. */
const MAX_ANYWHERE = 40;

/** Rounds over all stays; most properties need two. */
const MAX_ROUNDS = 5;

/** A room with those who have it. */
type Lane = { room: PlanRoom; taken: readonly NightRange[]; stays: PackingStay[] };
type Step = { stay: PackingStay; from: Lane; to: Lane };
/** Makes a change; `undefined` where it cannot be made. */
type Attempt = () => Step[] | undefined;

/** A placement of one type with its rooms. */
type PlacedType = Pick<StayPlacement, 'roomOf' | 'laterIn'> & { rooms: readonly PackingRoom[] };

/**
 * Exchanges rooms among the stays that get one now, as long as that meets more weight of wishes: one stay for those in
 * the room that it wishes, and two at once for connecting rooms. Every stay keeps a room for all of its nights, also
 * those that need one later, and none leaves a room that it had before. Finds no better arrangement by one exchange,
 * within a limited effort; equal weights stay as they are.
 */
export class RoomExchange {
  readonly #floors: Floors;
  readonly #today: Day;
  readonly #plan: RoomPlan;
  readonly #parties: Parties;
  readonly #lanes = new Map<string, Lane>();
  readonly #ofType = new Map<string, Lane[]>();
  readonly #laneOf = new Map<PackingStay, Lane>();
  readonly #packed = new Map<string, PackingStay>();
  /** By priority. */
  readonly #movable: ReadonlySet<PackingStay>;
  readonly #scores = new Map<PackingStay, Map<PlanRoom, number>>();
  readonly #partners = new Map<PackingStay, PlanStay[]>();
  #looks = MAX_LOOKS;

  constructor(plan: RoomPlan, types: Iterable<PlacedType>, floors: Floors, today: Day) {
    this.#plan = plan;
    this.#floors = floors;
    this.#today = today;
    this.#parties = new Parties(plan.stays);
    for (const { rooms, roomOf, laterIn } of types) {
      for (const { room, taken } of rooms) this.#addLane({ room, taken, stays: [] });
      for (const [stay, room] of [...roomOf, ...laterIn]) this.#addStay(stay, room);
    }
    const isMoving = (stay: PackingStay): boolean => stay.stay.roomNumber !== this.roomOf(stay)!.roomNumber;
    this.#movable = new Set([...this.#laneOf.keys()].filter(isMoving).sort(byRight));
  }

  /** Exchanges rooms until no exchange meets more. */
  run(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let isBetter = false;
      for (const stay of this.#movable) if (this.#connect(stay)) isBetter = true;
      for (const stay of this.#movable) if (stay.due && this.#improve(stay)) isBetter = true;
      if (!isBetter || this.#looks <= 0) return;
    }
  }

  /** The room of a stay now, where it has one. */
  roomOf(stay: PackingStay): PlanRoom | undefined {
    return this.#laneOf.get(stay)?.room;
  }

  /** Whether the stay and a partner have connecting rooms; one that gets its room later does not count. */
  isConnected(stay: PackingStay): boolean {
    return this.#isConnected(stay, false);
  }

  /** Others that wish rooms connecting with that of the stay. */
  partnersOf(stay: PackingStay): { stay: PlanStay; room?: PlanRoom }[] {
    return this.#partnersOf(stay).map((one) => {
      const room = this.#roomOfPlanned(one, false);
      return { stay: one, ...(room && { room }) };
    });
  }

  #addLane(lane: Lane): void {
    const { roomNumber, roomType } = lane.room;
    this.#lanes.set(roomNumber, lane);
    const lanes = this.#ofType.get(roomType);
    if (lanes) lanes.push(lane);
    else this.#ofType.set(roomType, [lane]);
  }

  #addStay(stay: PackingStay, room: PlanRoom): void {
    const lane = this.#lanes.get(room.roomNumber)!;
    lane.stays.push(stay);
    this.#laneOf.set(stay, lane);
    this.#packed.set(stay.stay.reservationId, stay);
  }

  /** Moves a stay to the room that meets most more, if any does; those in it move to where the stay has been. */
  #improve(stay: PackingStay): boolean {
    const current = this.#laneOf.get(stay)!;
    // A stay that wishes nothing only leaves accessible rooms to others.
    if (!stay.stay.wishes && !current.room.accessible) return false;
    const has = this.#score(stay, current.room);
    let best: Lane | undefined;
    let bestWorth = 0;
    for (const lane of this.#ofType.get(current.room.roomType)!) {
      this.#looks--;
      if (lane === current || this.#score(stay, lane.room) <= has) continue;
      const worth = this.#quickWorth(stay, current, lane) ?? this.#worthOf(() => this.#move(stay, lane));
      if (worth > bestWorth) [best, bestWorth] = [lane, worth];
      if (this.#looks <= 0) break;
    }
    if (best) this.#move(stay, best);
    return best !== undefined;
  }

  /**
   * What a move to a room would be worth, without making it; `undefined` where that depends on connecting rooms, 0 where
   * it cannot be made.
   */
  #quickWorth(stay: PackingStay, from: Lane, to: Lane): number | undefined {
    if (!fitsIn(stay, to.room) || to.taken.some((nights) => shareNights(nights, stay))) return 0;
    let worth = this.#gain(stay, to.room);
    let isConnecting = wishes(stay.stay, 'CONNECTING');
    for (const one of to.stays) {
      if (!shareNights(one, stay)) continue;
      if (one.stay.roomNumber === to.room.roomNumber || !fitsIn(one, from.room)) return 0;
      if (from.taken.some((nights) => shareNights(nights, one))) return 0;
      if (from.stays.some((other) => other !== stay && shareNights(other, one))) return 0;
      worth += this.#gain(one, from.room);
      isConnecting ||= wishes(one.stay, 'CONNECTING');
    }
    return isConnecting ? undefined : worth;
  }

  /** Moves a stay and a partner, as far as that may move, to connecting rooms: an exchange, else with free rooms. */
  #connect(stay: PackingStay): boolean {
    if (this.#partnersOf(stay).length === 0 || this.#isConnected(stay, true)) return false;
    for (const anywhere of [false, true]) {
      let best: Attempt | undefined;
      let bestWorth = 0;
      const attempts = [...this.#connecting(stay, anywhere)].sort((a, b) => b.most - a.most);
      for (const { most, attempt } of anywhere ? attempts.slice(0, MAX_ANYWHERE) : attempts) {
        if (most <= bestWorth || this.#looks <= 0) break;
        const worth = this.#worthOf(attempt);
        if (worth > bestWorth) [best, bestWorth] = [attempt, worth];
      }
      best?.();
      if (best) return true;
    }
    return false;
  }

  /** Ways to connect a stay with a partner, each with what it is worth where nobody else loses anything by it. */
  *#connecting(stay: PackingStay, anywhere: boolean): Iterable<{ most: number; attempt: Attempt }> {
    const { room } = this.#laneOf.get(stay)!;
    const connecting = this.#connectingWeight(stay);
    for (const partner of this.#partnersOf(stay)) {
      const there = this.#roomOfPlanned(partner, true);
      const packed = this.#packed.get(partner.reservationId);
      const both = connecting + (packed ? this.#connectingWeight(packed) : 0);
      const moves = packed !== undefined && this.#movable.has(packed);
      for (const own of this.#ofType.get(room.roomType)!)
        for (const number of own.room.connectsTo ?? []) {
          const other = this.#lanes.get(number);
          const most = both + this.#gain(stay, own.room);
          if (number === there?.roomNumber) yield { most, attempt: () => this.#move(stay, own, anywhere) };
          else if (moves && other)
            yield {
              most: most + this.#gain(packed, other.room),
              attempt: () => this.#moveBoth([stay, own], [packed, other], anywhere),
            };
        }
    }
  }

  /** By how much another room meets more wishes of a stay that gets its room now. */
  #gain(stay: PackingStay, room: PlanRoom): number {
    return stay.due ? this.#score(stay, room) - this.#score(stay, this.roomOf(stay)!) : 0;
  }

  #connectingWeight({ stay }: PackingStay): number {
    return A_WEIGHT * (stay.wishes?.find(({ kind }) => kind === 'CONNECTING')?.weight ?? 0);
  }

  #moveBoth(
    [stay, own]: [PackingStay, Lane],
    [partner, other]: [PackingStay, Lane],
    anywhere: boolean,
  ): Step[] | undefined {
    const first = this.#move(stay, own, anywhere);
    if (!first) return undefined;
    const second = this.#move(partner, other, anywhere, stay);
    if (second) return [...first, ...second];
    this.#undo(first);
    return undefined;
  }

  /**
   * Moves a stay to a room of its type, and those in its way to the room that it leaves, or on request to any free one.
   * @returns the steps, or `undefined` when somebody has no room then; nothing has changed then
   */
  #move(stay: PackingStay, to: Lane, anywhere = false, stays?: PackingStay): Step[] | undefined {
    this.#looks -= AN_EXCHANGE;
    const from = this.#laneOf.get(stay)!;
    if (from === to) return [];
    if (from.room.roomType !== to.room.roomType || !fitsIn(stay, to.room)) return undefined;
    if (to.taken.some((nights) => shareNights(nights, stay))) return undefined;
    const inTheWay = to.stays.filter((one) => shareNights(one, stay));
    if (inTheWay.some((one) => one === stays || one.stay.roomNumber === to.room.roomNumber)) return undefined;
    const steps: Step[] = [];
    const take = (one: PackingStay, there: Lane, lane: Lane): void => {
      const step = { stay: one, from: there, to: lane };
      this.#apply(step);
      steps.push(step);
    };
    // Nobody is in the room of two at once: those in the way leave first.
    const waiting: Lane = { room: to.room, taken: [], stays: [] };
    for (const one of inTheWay) take(one, to, waiting);
    take(stay, from, to);
    for (const one of inTheWay) {
      const lane = this.#isFree(from, one) ? from : anywhere ? this.#freeLane(one, to) : undefined;
      if (lane) take(one, waiting, lane);
      else {
        this.#undo(steps);
        return undefined;
      }
    }
    return steps;
  }

  #isFree({ room, taken, stays }: Lane, stay: PackingStay): boolean {
    const isApart = (nights: NightRange): boolean => !shareNights(nights, stay);
    return stays.every(isApart) && taken.every(isApart) && fitsIn(stay, room);
  }

  /** The free room of a type that meets most wishes of a stay; any one for a stay that gets its room later. */
  #freeLane(stay: PackingStay, { room: { roomType } }: Lane): Lane | undefined {
    let best: Lane | undefined;
    let most = -Infinity;
    for (const lane of this.#ofType.get(roomType)!) {
      this.#looks--;
      const score = stay.due ? this.#score(stay, lane.room) : 0;
      if (score > most && this.#isFree(lane, stay)) [best, most] = [lane, score];
      if (best && !stay.due) break;
    }
    return best;
  }

  #apply({ stay, from, to }: Step): void {
    from.stays.splice(from.stays.indexOf(stay), 1);
    to.stays.push(stay);
    this.#laneOf.set(stay, to);
  }

  #undo(steps: readonly Step[]): void {
    for (const { stay, from, to } of steps.toReversed()) this.#apply({ stay, from: to, to: from });
  }

  /** By how much the weight of met wishes grows; the attempt is undone. */
  #worthOf(attempt: Attempt): number {
    const steps = attempt();
    if (!steps) return 0;
    const touched = new Set<PackingStay>();
    for (const { stay } of steps) {
      touched.add(stay);
      for (const { reservationId } of this.#partnersOf(stay)) {
        const partner = this.#packed.get(reservationId);
        if (partner) touched.add(partner);
      }
    }
    const worth = (): number => [...touched].reduce((sum, stay) => sum + this.#worth(stay), 0);
    const after = worth();
    this.#undo(steps);
    return after - worth();
  }

  #worth(stay: PackingStay): number {
    const own = stay.due ? this.#score(stay, this.roomOf(stay)!) : 0;
    return own + (this.#isConnected(stay, true) ? this.#connectingWeight(stay) : 0);
  }

  #score(stay: PackingStay, room: PlanRoom): number {
    let scores = this.#scores.get(stay);
    if (!scores) this.#scores.set(stay, (scores = new Map()));
    let score = scores.get(room);
    if (score === undefined) scores.set(room, (score = wishScore(room, stay.stay, this.#floors)));
    return score;
  }

  #isConnected(stay: PackingStay, withLater: boolean): boolean {
    const room = this.roomOf(stay);
    if (!room) return false;
    return this.#partnersOf(stay).some((one) => {
      const other = this.#roomOfPlanned(one, withLater);
      return other !== undefined && connects(room, other);
    });
  }

  #partnersOf(stay: PackingStay): readonly PlanStay[] {
    if (!wishes(stay.stay, 'CONNECTING')) return [];
    let partners = this.#partners.get(stay);
    if (partners) return partners;
    partners = this.#parties.partnersOf(stay.stay, (one) => nightsFromToday(one, this.#today));
    this.#partners.set(stay, partners);
    return partners;
  }

  /** The room that a stay has or gets; on request the one that is left for a later stay. */
  #roomOfPlanned({ reservationId, roomNumber }: PlanStay, withLater: boolean): PlanRoom | undefined {
    const packed = this.#packed.get(reservationId);
    if (packed) return packed.due || withLater || roomNumber !== undefined ? this.roomOf(packed) : undefined;
    return roomNumber === undefined ? undefined : this.#plan.rooms.get(roomNumber);
  }
}
