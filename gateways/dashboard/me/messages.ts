import type { NoticeKind } from '../../../src/tenants/rules/preferences.ts';
import { roleName } from '../access/messages.ts';
import type { PreferenceState } from '../access/own-preferences.ts';
import { locale, textsOf } from '../language/texts.ts';
import type { ListedSession } from './me.ts';

const say = textsOf('me');

/** Texts of the own settings. */

const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const momentOf = (at: string): string => moments.format(Date.parse(at));

/** A browser by its name. */
export const sessionName = ({ browser }: Pick<ListedSession, 'browser'>): string => browser ?? say('Unknown browser');

/** Since when a browser is signed in, and when it was used. */
export function sessionLine({ tenantId, beganAt, usedAt }: ListedSession): string {
  const parts = [
    tenantId,
    beganAt === null ? undefined : say('signed in {at}', { at: momentOf(beganAt) }),
    usedAt === null ? undefined : say('used {at}', { at: momentOf(usedAt) }),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

export const ownWords = {
  title: say('Your settings'),
  loading: say('Loading'),
  profile: say('Profile'),
  name: say('Name'),
  email: say('E-mail'),
  subject: say('Sign-in'),
  signsIn: (subject: string, issuer: string): string => say('{subject} at {issuer}', { subject, issuer }),
  tenants: say('Tenants and roles'),
  roleIn: (tenant: string, role: string): string => say('{tenant}: {role}', { tenant, role: roleName(role) }),
  none: say('Not set'),
  profileHint: say(
    'An owner of the tenant changes name, e-mail and role under Administration, Users. Your password is with the sign-in service.',
  ),
  preferences: say('Preferences'),
  preferencesHint: say('They apply at once, and in every browser in which you sign in.'),
  language: say('Language'),
  clock: say('Time'),
  clocks: { '24h': say('24 hours'), '12h': say('12 hours') },
  firstDay: say('First day of the week'),
  days: { MONDAY: say('Monday'), SUNDAY: say('Sunday'), SATURDAY: say('Saturday') },
  notices: say('Tell me of'),
  noticeKinds: {
    BOOKED: say('New bookings'),
    CHANGED: say('Changed bookings'),
    CANCELLED: say('Cancellations'),
    NO_SHOW: say('No-shows'),
    PAYMENT_FAILED: say('Failed payments'),
    ROOMS_MISSING: say('Arrivals of today without a room'),
    TASKS_OVERDUE: say('Overdue housekeeping'),
    MAINTENANCE_OVERDUE: say('Rooms out of order for a week'),
    RECOMMENDATIONS: say('New recommendations of prices'),
    MESSAGES_FAILED: say('Messages that failed'),
    INVITATIONS_FAILED: say('Invitations that failed'),
    INVITATION_ACCEPTED: say('Accepted invitations'),
  } satisfies Record<NoticeKind, string>,
  noticesHint: say(
    'At the bell in the bar, for the property that you have open, while you work. What you do yourself is left out, and so is what your role can do nothing about.',
  ),
  sessions: say('Where you are signed in'),
  thisBrowser: say('This browser'),
  signOut: say('Sign out'),
  signOutOf: (name: string, line: string): string => say('Sign out {name}, {line}', { name, line }),
  signOutOthers: say('Sign out everywhere else'),
  othersHint: (count: number): string =>
    say(
      '{count, plural, one {Signs # browser out} other {Signs # browsers out}} within 30 seconds. What is typed there and not saved is lost.',
      { count },
    ),
  alone: say('You are signed in nowhere else.'),
  typed: say(
    'You used an access token, so this browser has no session: it is signed out with this tab, or when the token expires.',
  ),
  ended: (name: string): string => say('Signed out: {name}.', { name }),
  endedOthers: (count: number): string =>
    say('{count, plural, one {# browser is} other {# browsers are}} signed out.', { count }),
};

/** Whether the service knows the preferences. */
export const savedWords: Record<PreferenceState, string> = {
  saved: '',
  saving: say('Saving'),
  unsaved: say('Kept in this browser. It is saved for your other browsers once the service answers.'),
  alone: say('Kept in this browser alone.'),
};
