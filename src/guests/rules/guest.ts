import type { GuestId } from '../../kernel/rules/ids.ts';
import type { Language } from '../../kernel/rules/languages.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** By nights stayed in 365 days (docs/reference/guests.md#loyalty). */
export const LOYALTY_TIERS = ['NONE', 'SILVER', 'GOLD', 'PLATINUM'] as const;
export type LoyaltyTier = (typeof LOYALTY_TIERS)[number];

export type Guest = {
  guestId: GuestId;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  /** Language of messages to the guest; that of the property where absent. */
  language?: Language;
  preferences?: { roomType?: string; floorPreference?: string; bedType?: string; smokingPreference?: string };
  /** Former names in this reservation, stored only so that an erasure can remove them from texts. */
  former?: string[];
};

/** What a guest has said about marketing by mail, when, and the user who recorded it. */
export type Consent = { marketingByMail: boolean; at: Instant; by: string };

/** Another guest of the room, in addition to that of the reservation. */
export type Companion = { firstName: string; lastName: string; age?: number };

/** Second guest of a room, with a profile, who may pay a part of the stay (docs/reference/sharers.md#sharers). */
export type Sharer = Omit<Guest, 'preferences' | 'language'>;

/** A change of a guest; `null` removes the phone, absent members stay. */
export type GuestChange = Partial<Pick<Guest, 'firstName' | 'lastName' | 'email' | 'language' | 'preferences'>> & {
  phone?: string | null;
};

/** Absent members stay, also within the preferences. */
export function guestAfter(guest: Guest, { phone = guest.phone, preferences, ...named }: GuestChange): Guest {
  const { phone: _, ...before } = guest;
  return {
    ...before,
    ...named,
    ...(phone !== null && phone !== undefined && { phone }),
    ...(preferences && { preferences: { ...guest.preferences, ...preferences } }),
    ...formerOf(guest, { ...named, phone: phone ?? undefined }),
  };
}

/** Former names and addresses stored with a reservation; more are corrections of typing errors. */
const MAX_FORMER = 40;

function formerOf(guest: Guest, next: Partial<Guest>): Pick<Guest, 'former'> {
  const given = (['firstName', 'lastName', 'email', 'phone'] as const).flatMap((name) => {
    const was = guest[name];
    return was !== undefined && name in next && next[name] !== was ? [was] : [];
  });
  if (given.length === 0) return {};
  return { former: [...new Set([...(guest.former ?? []), ...given])].slice(-MAX_FORMER) };
}
