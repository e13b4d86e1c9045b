/** A guest as a booking needs it: whose profile, and how personal fields are sealed for the journal. */
export type GuestIdentity = {
  guestId: string;
  /** The guest's data key, wrapped, when the profile is new: stored with the first booking. */
  wrappedKey?: string;
  /** Ciphertext under the guest's own key (docs/concepts/guests-and-erasure.md#encryption). */
  seal(plain: string): string;
};

/** Guest profiles of a tenant, found by e-mail and last name, case-folded. */
export interface GuestDirectory {
  /** The known profile, or a new identity that becomes one when a booking with it commits. */
  identify(tenantId: string, guest: { email: string; lastName: string }): Promise<GuestIdentity>;
  /** The identity of a profile that is known by id. */
  byId(tenantId: string, guestId: string): Promise<GuestIdentity>;
  /** Plain texts of sealed ones, by their ciphertext; those whose guest was erased are left out. */
  open(tenantId: string, sealed: { guestId: string; name: string }[]): Promise<Map<string, string>>;
}
