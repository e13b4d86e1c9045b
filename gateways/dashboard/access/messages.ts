import type { ConnectionState } from '../live/connection.ts';

/** Texts about signing in, the page itself, and unreachable services. */

export const access = {
  loading: 'Loading',
  expired: 'Your sign-in has expired.',
  tokenOver:
    'Your sign-in has ended: the access token has expired, or was refused. What you see is no longer live, and stays as it is.',
  tenantOver: 'You do not belong to this tenant any more. What you see is no longer live, and stays as it is.',
  tokenRefused: 'The access token has expired, or is not one of this installation.',
  tenantRefused: 'You do not belong to this tenant.',
  signInAgain: 'Sign in again',
  noProperties: 'There are no properties in this tenant yet.',
  notListed: 'The properties could not be listed.',
  noService: 'The service cannot be reached at the moment.',
  signInFailed: 'Signing in did not work. Please try again.',
  tryAgain: 'Try again',
  reasons: {
    unavailable: 'The sign-in service cannot be reached.',
    refused: 'Signing in was refused. Please try once more.',
  } as Record<string, string>,
};

/** Why actions are disabled now; `undefined` when they are not. */
export function noServiceReason({ kind }: ConnectionState): string | undefined {
  if (kind === 'offline' || kind === 'reconnecting')
    return 'Offline. Changes are possible once the connection is back.';
  return kind === 'signed-out' ? 'Signed out. Sign in again to change anything.' : undefined;
}

export const signInMessages = {
  product: 'Innkeeper',
  lead: 'Every room, every night, as it is this second.',
  withToken: 'Use an access token',
  pick: 'Development mode. Sign in as:',
  usersOf: (tenant: string): string => `Users of ${tenant}`,
  tenant: 'Tenant',
  token: 'Access token',
  signIn: 'Sign in',
  go: 'Continue',
};

export const frame = {
  start: 'Innkeeper, start page',
  property: 'Property',
  signOut: 'Sign out',
  nights: 'Rooms and prices by night',
  earlier: 'Earlier nights',
  later: 'Later nights',
  today: 'Today',
};
