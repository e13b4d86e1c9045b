import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';

/**
 * Subject of a valid access token. Permissions are in the association table
 * (docs/concepts/tenants-and-roles.md#who-somebody-is-and-what-they-may-do).
 */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, on the real clock. */
  readonly expiresAt: Instant;
  /** Names the token, so that one whose session was ended can be refused. */
  readonly mark?: string;
};

/** Checks an access token; throws DomainError UNAUTHENTICATED, or PARTNER_UNAVAILABLE when its issuer is away. */
export type VerifyToken = (token: string) => Promise<Identity>;

/** Scope for operations across tenants, which no role of a tenant has. */
export const OPERATE_SCOPE = 'innkeeper:operate';

/** Scope of tokens for agents, which open `/mcp` alone (docs/reference/mcp.md#tokens). */
export const AGENT_SCOPE = 'innkeeper:agent';

/** Scope of tokens for channels, which send bookings and do nothing else (docs/reference/channels.md#tokens). */
export const CHANNEL_SCOPE = 'innkeeper:channel';

/** Scopes that take rights away: a token with one opens what this scope is for, whatever other scopes it has. */
export const NARROW_SCOPES = [AGENT_SCOPE, CHANNEL_SCOPE] as const;

type Scoped = Pick<Identity, 'scopes'>;

/** Whether a token is an agent's. */
const isAgent = ({ scopes }: Scoped): boolean => scopes.includes(AGENT_SCOPE);

/** Whether a token is a channel's. */
const isChannelToken = ({ scopes }: Scoped): boolean => scopes.includes(CHANNEL_SCOPE);

/** Whether a token has a scope that takes rights away. */
export const isNarrow = (identity: Scoped): boolean => isAgent(identity) || isChannelToken(identity);

/** @throws DomainError AGENT_TOKEN for a token that opens `/mcp` alone */
function refuseAgent(identity: Scoped): void {
  if (isAgent(identity)) throw new DomainError('AGENT_TOKEN', `A token with scope ${AGENT_SCOPE} opens /mcp alone.`);
}

/** @throws DomainError CHANNEL_TOKEN for a token that sends bookings of channels alone */
function refuseChannel(identity: Scoped): void {
  if (isChannelToken(identity))
    throw new DomainError('CHANNEL_TOKEN', `A token with scope ${CHANNEL_SCOPE} sends bookings of channels alone.`);
}

/** @throws DomainError AGENT_TOKEN, CHANNEL_TOKEN for a token that does not open what needs no scope */
export function refuseNarrow(identity: Scoped): void {
  refuseAgent(identity);
  refuseChannel(identity);
}

/** Whether a token acts as a channel where channels may. @throws DomainError AGENT_TOKEN for one of an agent */
export function isActingAsChannel(identity: Scoped): boolean {
  refuseAgent(identity);
  return isChannelToken(identity);
}

/** @throws DomainError INSUFFICIENT_SCOPE for a token that is not an agent's, CHANNEL_TOKEN for a channel's */
export function demandAgent(identity: Scoped): void {
  refuseChannel(identity);
  if (!isAgent(identity))
    throw new DomainError('INSUFFICIENT_SCOPE', `This needs a token with scope ${AGENT_SCOPE}.`);
}

/** Longest accepted token; longer ones are not even hashed. */
export const MAX_TOKEN_LENGTH = 8192;

/** Allowed clock difference to the issuer (docs/concepts/tenants-and-roles.md#tokens). */
export const CLOCK_SKEW_SECONDS = 5;

/** The real time, not that of the development clock. */
export type TokenClock = () => Instant;

/** Whether a token has expired, with the allowed clock difference. */
export function isOverIdentity({ expiresAt }: Pick<Identity, 'expiresAt'>, now: Instant): boolean {
  return expiresAt + CLOCK_SKEW_SECONDS * 1000 <= now;
}

export function unauthenticated(detail: string): DomainError {
  return new DomainError('UNAUTHENTICATED', detail);
}

/** Says that the token is of a session that somebody has ended (docs/reference/own-settings.md#sessions). */
export const sessionEnded = (): DomainError => unauthenticated('The session of this access token has ended.');
