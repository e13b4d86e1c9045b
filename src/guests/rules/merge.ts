import type { Consent, Guest } from './guest.ts';

/** What both profiles of a merge may have. */
type Mergeable = Pick<Guest, 'firstName' | 'lastName' | 'email' | 'phone' | 'language' | 'preferences'> & {
  consent?: Consent;
};

/** Members that the surviving profile takes from the other one. */
export type TakenMembers = Pick<Mergeable, 'phone' | 'language' | 'preferences' | 'consent'>;

/** Members that are compared, in the order in which a page lists them. */
export const MERGED_FIELDS = [
  ...(['firstName', 'lastName', 'email', 'phone', 'language'] as const),
  ...(['roomType', 'floorPreference', 'bedType', 'smokingPreference', 'marketingByMail'] as const),
] as const;

/** One member in both profiles, absent where one has none, and from which of them it comes. */
export type MergeLine = {
  field: (typeof MERGED_FIELDS)[number];
  surviving?: string;
  other?: string;
  takes: 'SURVIVING' | 'OTHER';
};

/**
 * Joins two profiles of one person (docs/reference/guests.md#merge): name, e-mail address, phone and each wish are those
 * of the surviving profile where it has them. Of consent the latest decision stands, and a no of the same moment.
 */
export function joinProfiles(surviving: Mergeable, other: Mergeable): { taken: TakenMembers; lines: MergeLine[] } {
  const preferences = { ...other.preferences, ...surviving.preferences };
  const takesWishes = Object.keys(preferences).length > Object.keys(surviving.preferences ?? {}).length;
  const takesConsent = other.consent !== undefined && isLater(other.consent, surviving.consent);
  const taken: TakenMembers = {
    ...(surviving.phone === undefined && other.phone !== undefined && { phone: other.phone }),
    ...(surviving.language === undefined && other.language !== undefined && { language: other.language }),
    ...(takesWishes && { preferences }),
    ...(takesConsent && { consent: other.consent }),
  };
  const [before, theirs] = [valuesOf(surviving), valuesOf(other)];
  const lines = MERGED_FIELDS.filter((field) => before[field] !== undefined || theirs[field] !== undefined).map(
    (field): MergeLine => {
      const takesOther = field === 'marketingByMail' ? takesConsent : before[field] === undefined;
      return { field, surviving: before[field], other: theirs[field], takes: takesOther ? 'OTHER' : 'SURVIVING' };
    },
  );
  return { taken, lines };
}

function isLater(consent: Consent, than: Consent | undefined): boolean {
  if (!than) return true;
  return consent.at > than.at || (consent.at === than.at && !consent.marketingByMail);
}

function valuesOf({ preferences, consent, ...named }: Mergeable): Partial<Record<MergeLine['field'], string>> {
  return { ...named, ...preferences, ...(consent && { marketingByMail: consent.marketingByMail ? 'YES' : 'NO' }) };
}
