import type { guestAnswer, listedGuestAnswer } from '../../../../src/guests/contracts/guest-answers.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { WireAmount } from '../../../../src/kernel/contracts/wire-money.ts';
import type { quoteAnswer } from '../../../../src/rates/contracts/quote-answers.ts';
import type { planAnswer } from '../../../../src/rates/contracts/rate-answers.ts';
import type { bookingAnswer, createdAnswer } from '../../../../src/stay/contracts/stay-answers.ts';

export type Plan = WireOf<typeof planAnswer>;
export type PlanQuote = WireOf<typeof quoteAnswer>;
export type RoomTypeQuote = PlanQuote['rates'][number];
export type GuestMatch = WireOf<typeof listedGuestAnswer>;
export type GuestProfile = WireOf<typeof guestAnswer>;
export type CreatedStay = WireOf<typeof createdAnswer>;
export type CreatedBooking = WireOf<typeof bookingAnswer>;

/** A new reservation, or a guest who stands at the desk and gets a room now. */
export type BookingKind = 'reservation' | 'walk-in';

/** What is known before the form opens. */
export type Prefill = {
  kind: BookingKind;
  checkIn?: string;
  checkOut?: string;
  roomType?: string;
  roomNumber?: string;
};

/** Rooms of one booking. */
export const MAX_ROOMS_OF_BOOKING = 9;

/** Who stays in a room. An age is `null` until somebody has said it. */
export type PartyForm = { adults: number; childAges: readonly (number | null)[] };

/** A room of the form: its guests, and the offer that is chosen for it. */
export type RoomForm = PartyForm & { roomType: string; rateCode: string };

const PAYS = ['CARD', 'CASH', 'TERMINAL', 'LATER'] as const;
/** How the guest pays or guarantees: by card, in cash or at the card terminal at once, or later. */
export type Pays = (typeof PAYS)[number];

export const CHANNELS = ['PHONE', 'DIRECT', 'WEBSITE', 'CORPORATE'] as const;

/** All that is typed, without card data: it is stored for a session that ends. */
export type BookingForm = {
  kind: BookingKind;
  checkIn: string;
  checkOut: string;
  /** Each room has guests and an offer of its own. */
  differ: boolean;
  rooms: readonly RoomForm[];
  /** The room that is given at once, of a booking of one room. */
  roomNumber: string;
  /** The chosen profile. */
  guestId: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  requests: string;
  promoCode: string;
  channel: (typeof CHANNELS)[number];
  /** Empty until somebody chooses: then the first way that the plan takes. */
  pays: Pays | '';
  companyId: string;
};

/** A price for one room: a room type under a rate plan, for certain guests. */
export type StayOffer = {
  roomType: string;
  plan: Plan;
  /** With taxes and fees. */
  total: WireAmount;
  currency: string;
  quoteToken: string | undefined;
  /** Rooms left on the fullest night. */
  left: number;
  guarantee: RoomTypeQuote['guarantee'];
  /** Until when a cancel is free; `null`: never. */
  freeUntil: string | null;
};

/** A room type that is not sold for these nights, with the reason. */
export type NotSold = { roomType: string; reason: string };

/** Offers for guests of one kind, by room type. */
export type Offers = {
  offers: readonly StayOffer[];
  notSold: readonly NotSold[];
};

/** Why a booking was refused, and what else can be had. */
export type Rejection = {
  text: string;
  /** Name of the field that is wrong, where the service names one. */
  field?: string | undefined;
  alternatives: readonly { roomType: string; checkIn: string; checkOut: string }[];
};
