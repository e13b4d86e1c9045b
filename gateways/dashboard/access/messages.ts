import type { Role } from '../../../src/kernel/rules/caller.ts';
import { textsOf } from '../language/texts.ts';
import type { ConnectionState } from '../live/connection.ts';

const say = textsOf('access');

/** Texts about signing in, the page itself, and unreachable services. */

export const access = {
  loading: say('Loading'),
  expired: say('Your sign-in has expired.'),
  tokenOver: say(
    'Your sign-in has ended: the access token has expired, or was refused. What you see is no longer live, and stays as it is.',
  ),
  tenantOver: say('You do not belong to this tenant any more. What you see is no longer live, and stays as it is.'),
  tokenRefused: say('The access token has expired, or is not one of this installation.'),
  tenantRefused: say('You do not belong to this tenant.'),
  signInAgain: say('Sign in again'),
  noProperties: say('There are no properties in this tenant yet.'),
  noSuchProperty: (property: string): string =>
    say('There is no property {property} in this tenant, so another one is shown.', { property }),
  notListed: say('The properties could not be listed.'),
  noService: say('The service cannot be reached at the moment.'),
  signInFailed: say('Signing in did not work. Please try again.'),
  tryAgain: say('Try again'),
  reasons: {
    unavailable: say('The sign-in service cannot be reached.'),
    refused: say('Signing in was refused. Please try once more.'),
  } as Record<string, string>,
};

type Standing = Pick<ConnectionState, 'kind'>;

/** Whether the service cannot be reached now. */
export const isCut = ({ kind }: Standing): boolean => kind === 'offline' || kind === 'reconnecting';

/** Why nothing else can be shown now; `undefined` when it can. */
export function noAnswerReason(state: Standing): string | undefined {
  if (isCut(state)) return say('Not while offline.');
  return state.kind === 'signed-out' ? say('Not while signed out.') : undefined;
}

/** Why actions are disabled now; `undefined` when they are not. */
export function noServiceReason({ kind }: Standing): string | undefined {
  if (isCut({ kind })) return say('Offline. Changes are possible once the connection is back.');
  return kind === 'signed-out' ? say('Signed out. Sign in again to change anything.') : undefined;
}

/** Names of the roles. */
export const ROLE_NAMES: Record<Role, string> = {
  VIEWER: say('Viewer'),
  STAFF: say('Staff'),
  MANAGER: say('Manager'),
  ADMIN: say('Administrator'),
  OWNER: say('Owner'),
};

/** The name of a role; of one that this page does not know yet, its word. */
export const roleName = (role: string): string => (ROLE_NAMES as Record<string, string>)[role] ?? role;

export const signInMessages = {
  product: say('Innkeeper'),
  lead: say('Every room, every night, as it is this second.'),
  withToken: say('Use an access token'),
  pick: say('Development mode. Sign in as:'),
  usersOf: (tenant: string): string => say('Users of {tenant}', { tenant }),
  /** `Manager (Mara)`: what may be done first, then who it is. */
  demoUser: (role: string, name: string): string => `${roleName(role)} (${name.split(' ')[0]})`,
  tenant: say('Tenant'),
  token: say('Access token'),
  signIn: say('Sign in'),
  go: say('Continue'),
};

export const frame = {
  start: say('Innkeeper, start page'),
  property: say('Property'),
  signOut: say('Sign out'),
  nights: say('Rooms and prices by night'),
  earlier: say('Earlier nights'),
  later: say('Later nights'),
  nightCount: say('Nights shown'),
  today: say('Today'),
};
