import type { Language } from '../../kernel/rules/languages.ts';

/** Key of a person above his tenants: the hash of issuer and subject of his tokens. */
export type PersonId = string;

/** The system's theme, or the one chosen. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How much is seen at once. */
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** How the time of a day is written. */
export const CLOCK_STYLES = ['24h', '12h'] as const;
export type ClockStyle = (typeof CLOCK_STYLES)[number];

/** Days that a week begins with somewhere. */
export const FIRST_DAYS = ['MONDAY', 'SUNDAY', 'SATURDAY'] as const;
export type FirstDay = (typeof FIRST_DAYS)[number];

/** What has happened to a stay. */
const STAY_KINDS = ['BOOKED', 'CHANGED', 'CANCELLED', 'NO_SHOW', 'PAYMENT_FAILED'] as const;
export type StayNoticeKind = (typeof STAY_KINDS)[number];

/** What waits until somebody has done something about it. */
export const WAITING_KINDS = [
  'ROOMS_MISSING',
  'TASKS_OVERDUE',
  'MAINTENANCE_OVERDUE',
  'RECOMMENDATIONS',
  'MESSAGES_FAILED',
  'INVITATIONS_FAILED',
  'INVITATION_ACCEPTED',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** What a notice on the pages can be about. */
export const NOTICE_KINDS = [...STAY_KINDS, ...WAITING_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
/** The kinds for those who have chosen nothing. */
export const USUAL_NOTICES: readonly NoticeKind[] = NOTICE_KINDS.filter((kind) => kind !== 'CHANGED');

/** How a person wants the dashboards (docs/reference/own-settings.md#preferences); absent where he has not chosen. */
export type Preferences = {
  language?: Language;
  theme?: Theme;
  density?: Density;
  clock?: ClockStyle;
  firstDay?: FirstDay;
  /** Empty: no notices at all. */
  notices?: NoticeKind[];
};

/** Chosen values; `null` forgets a choice. */
export type PreferenceChange = { [K in keyof Preferences]?: Preferences[K] | null };
