import type { PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { Instant, PropertyClock } from '../../kernel/rules/property-time.ts';
import type { MembersIn } from '../../kernel/rules/unit.ts';
import type { AcceptanceRule } from './acceptance-rule.ts';
import type { AgeBand } from './age-band.ts';
import type { CancellationPolicy } from './cancellation-policy.ts';
import { policyTaxes, type Tax } from './tax.ts';

/** A room that was cleaned is ready at once, or when somebody has inspected it. */
export const ROOM_READY_WHEN = ['CLEAN', 'INSPECTED'] as const;

/** Policies of a property (docs/reference/set-up.md#policies). */
export type Policies = {
  taxPercent: number;
  feePerNight: Minor;
  feePerPersonNight: Minor;
  /** In addition to the three policies before. */
  taxes: Tax[];
  /** By which plans price children. */
  ageBands: AgeBand[];
  /** Default policy of BAR and of new plans. */
  cancellationPolicy: string;
  /** Its own policies, in addition to the three of every property. */
  cancellationPolicies: CancellationPolicy[];
  overbookingLimit: number;
  horizonNights: number;
  holdDurationSeconds: number;
  /** Rooms of a night and type that may be held without payment, in percent of its capacity; 100 means no limit. */
  maxHeldPercent: number;
  freeCancellationHours: number;
  modificationDeadlineHours: number;
  depositPercent: number;
  autoConfirmation: boolean;
  paymentRequired: boolean;
  autoAssign: boolean;
  autoAssignHour: number;
  nightAuditHour: number;
  earlyDepartureNights: number;
  /** Waiting time after check-in time before the desk may mark a no-show. */
  noShowGraceMinutes: number;
  /** Business days for which an exchange rate counts; 0 is the day on which it was set alone. */
  exchangeRateMaxAgeDays: number;
  /** Fees, and taxes by night, person or stay, are due on complimentary nights too. */
  taxOnComp: boolean;
  /** A guest in house gets a service each so many nights; 0 is never. */
  stayOverServiceNights: number;
  /** What a room costs for each night on which it is occupied; for MAXIMIZE_PROFIT, and for profit in its plans. */
  costPerOccupiedRoom: Minor;
  /** Percent of the rate with which a business date began by which recommendations raise and lower it at most. */
  maxRateIncrease: number;
  maxRateDecrease: number;
  /** Changes that gain less than so many percent of a night's revenue are not recommended. */
  minGainPercent: number;
  /** The only rates that are recommended, ascending; any within the bounds where there are none. */
  pricePoints: Minor[];
  /** One recommended change for all nights of a weekday in a calendar month. */
  sameByWeekday: boolean;
  /** Language of messages to guests whose own is not known. */
  language: Language;
  /** The least state in which a cleaned room is ready for a guest. */
  roomReadyWhen: (typeof ROOM_READY_WHEN)[number];
};

export const DEFAULT_POLICIES: Policies = {
  taxPercent: 0,
  feePerNight: 0,
  feePerPersonNight: 0,
  taxes: [],
  ageBands: [],
  cancellationPolicy: 'STANDARD',
  cancellationPolicies: [],
  overbookingLimit: 0,
  horizonNights: 730,
  holdDurationSeconds: 900,
  maxHeldPercent: 30,
  freeCancellationHours: 48,
  modificationDeadlineHours: 24,
  depositPercent: 100,
  autoConfirmation: true,
  paymentRequired: true,
  autoAssign: true,
  autoAssignHour: 14,
  nightAuditHour: 3,
  earlyDepartureNights: 0,
  noShowGraceMinutes: 180,
  exchangeRateMaxAgeDays: 1,
  taxOnComp: false,
  stayOverServiceNights: 0,
  costPerOccupiedRoom: 0,
  maxRateIncrease: 25,
  maxRateDecrease: 15,
  minGainPercent: 1,
  pricePoints: [],
  sameByWeekday: false,
  language: 'en',
  roomReadyWhen: 'CLEAN',
};

/** Policies that are amounts; a missing one does not compile. */
const AMOUNTS = { feePerNight: true, feePerPersonNight: true, costPerOccupiedRoom: true } satisfies Record<
  MembersIn<Policies, 'minor'>,
  true
>;
export type AmountPolicy = keyof typeof AMOUNTS;
export const AMOUNT_POLICIES = Object.keys(AMOUNTS) as AmountPolicy[];
/** Those that guests pay. */
export type FeePolicy = Exclude<AmountPolicy, 'costPerOccupiedRoom'>;

/** Policies of the property first, then of its tenant, then the defaults. */
export function policiesOf(own: Partial<Policies>, tenants: Partial<Policies>): Policies {
  return { ...DEFAULT_POLICIES, ...definedMembers(tenants), ...definedMembers(own) };
}

/** All taxes of a property: from its policies in percent and in amounts, and its own. */
export function allTaxes(policies: Policies): Tax[] {
  return [...policyTaxes(policies), ...policies.taxes];
}

/** A stored property with all policies: an earlier release does not write the newest ones. */
export function withAllPolicies<P extends { metadata: { policies?: Partial<Policies> } }>(
  property: P,
): P & { metadata: { policies: Policies } } {
  const { metadata } = property;
  return { ...property, metadata: { ...metadata, policies: { ...DEFAULT_POLICIES, ...metadata.policies } } };
}

/** The property with these policies of its tenant; `undefined` where they change nothing. */
export function followingTenant(property: Property, tenants: Partial<Policies>): Property | undefined {
  const { metadata } = property;
  const { policies, ownPolicies = policies } = metadata;
  const next = policiesOf(ownPolicies, tenants);
  const names = Object.keys(DEFAULT_POLICIES) as (keyof Policies)[];
  // These are defined per property; all others are plain values.
  const { cancellationPolicies, taxes, ageBands, pricePoints } = policies;
  const own: Partial<Policies> = { cancellationPolicies, taxes, ageBands, pricePoints };
  if (names.every((name) => name in own || policies[name] === next[name])) return undefined;
  return { ...property, metadata: { ...metadata, policies: { ...next, ...own } } };
}

export type PostalAddress = { addressLine1: string; city: string; state: string; zipCode: string; country: string };

/** What guests may book by themselves (docs/guide/booking-page.md#settings). */
export type BookingPage = {
  /** Whether the property is sold at `/book/{tenant}/{property}`. */
  enabled: boolean;
  /** What guests read about the property, in one paragraph. */
  description?: string;
  /** Plans that are sold there; absent: every plan on sale that invoices no company. */
  ratePlans?: string[];
  /** Extras that guests add to their stay by themselves; absent: every one on sale. */
  extras?: string[];
  /** Origins of pages that may show it in a frame. */
  embedOrigins: string[];
};

export type PropertyMetadata = {
  category?: string;
  starRating?: number;
  checkInTime: string;
  checkOutTime: string;
  /** Local time by which day-use guests leave. */
  dayUseUntil?: string;
  currency: string;
  timezone: string;
  amenities: string[];
  /** Effective policies. */
  policies: Policies;
  /** Policies that the property has set itself; when unknown, all of them. */
  ownPolicies?: Partial<Policies>;
  /** Set by itself: an update of the property leaves it. */
  acceptanceRule?: AcceptanceRule;
  bookingPage?: BookingPage;
};

/** A hotel (docs/reference/set-up.md#property); amounts in `metadata.policies` are in minor units. */
export type Property = {
  propertyId: PropertyId;
  name: string;
  propertyCode?: string;
  brand?: string;
  propertyType: string;
  address?: PostalAddress;
  contact?: { phone?: string; email?: string };
  metadata: PropertyMetadata;
  createdAt: Instant;
  updatedAt: Instant;
};

export type RoomType = {
  roomType: string;
  name: string;
  maxAdults: number;
  maxChildren: number;
  maxGuests: number;
  totalRooms: number;
  amenities: string[];
  /** Rates for nights that enter the booking window, where the property sets them automatically. */
  rollingRates?: { weekday: Minor; weekend: Minor };
};

/** Whether a room of a type has a bed for each of a party. */
export const sleepsParty = (
  { maxAdults, maxChildren, maxGuests }: Pick<RoomType, 'maxAdults' | 'maxChildren' | 'maxGuests'>,
  { adults, children }: { adults: number; children: number },
): boolean => adults <= maxAdults && children <= maxChildren && adults + children <= maxGuests;

/** States of a room; docs/concepts/rooms.md#check-in lists those in which it is ready. */
export const ROOM_STATUSES = ['AVAILABLE', 'OCCUPIED', 'DIRTY', 'CLEAN', 'INSPECTED', 'OUT_OF_ORDER'] as const;
export type RoomStatus = (typeof ROOM_STATUSES)[number];

export type Room = {
  roomNumber: string;
  roomType: string;
  floor: number;
  status: RoomStatus;
  features: string[];
  /** For guests who need an accessible room; others get it last. */
  accessible?: true;
  /** Numbers of the rooms behind connecting doors; each of these names this room too. */
  connectsTo?: string[];
  notes?: string;
  /** Reservation of the guest in the room, whatever its housekeeping state. */
  reservationId?: ReservationId;
  updatedAt: Instant;
};

/** Clock of a property: time zone and the hour at which its business date rolls. */
export function clockOf({ metadata: { timezone, policies } }: Property): PropertyClock {
  return { timezone, nightAuditHour: policies.nightAuditHour };
}
