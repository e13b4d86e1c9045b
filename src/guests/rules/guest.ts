import type { GuestId } from '../../kernel/rules/ids.ts';

/** By nights stayed in 365 days (docs/reference/reservations.md#guests). */
export const LOYALTY_TIERS = ['NONE', 'SILVER', 'GOLD', 'PLATINUM'] as const;
export type LoyaltyTier = (typeof LOYALTY_TIERS)[number];

export type Guest = {
  guestId: GuestId;
  firstName: string;
  lastName: string;
  email: string;
  phone?: string;
  preferences?: { roomType?: string; floorPreference?: string; bedType?: string; smokingPreference?: string };
  /** What the reservation called the guest before: needed to take the person out of texts, and for nothing else. */
  former?: string[];
};

/** What of a guest changes; null takes the phone away, what is absent stays. */
export type GuestChange = Partial<Pick<Guest, 'firstName' | 'lastName' | 'email' | 'preferences'>> & {
  phone?: string | null;
};

/** What is not named stays, of the preferences too. */
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

/** Former names and addresses of a guest that a reservation keeps; more are typing errors of one another. */
const MAX_FORMER = 40;

function formerOf(guest: Guest, next: Partial<Guest>): Pick<Guest, 'former'> {
  const given = (['firstName', 'lastName', 'email', 'phone'] as const).flatMap((name) => {
    const was = guest[name];
    return was !== undefined && name in next && next[name] !== was ? [was] : [];
  });
  if (given.length === 0) return {};
  return { former: [...new Set([...(guest.former ?? []), ...given])].slice(-MAX_FORMER) };
}
