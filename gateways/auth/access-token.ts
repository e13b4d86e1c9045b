import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  type Configuration,
  discovery,
  None,
  tokenIntrospection,
} from 'openid-client';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { type DevelopmentKeys, publicJwk } from './development-keys.ts';
import { CLOCK_SKEW_SECONDS, type Identity, type TokenClock, type VerifyToken, unauthenticated } from './identity.ts';

/** Claims that a token must have (docs/concepts/tenants-and-roles.md#tokens). */
type TokenRules = {
  issuer: string;
  audience: string;
  tokenTyp: 'at+jwt' | 'JWT';
  /** Clock for token times; this machine's by default, which may be wrong. */
  now?: TokenClock;
};

/** Asymmetric algorithms only: no secret of this service could sign a token. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const ISSUER_TIMEOUT_SECONDS = 5;
/** Minimum interval between fetches of the issuer's keys because of unknown key ids. */
const JWKS_COOLDOWN_MS = 30_000;
/** Minimum interval between attempts to discover an issuer that could not be reached. */
const DISCOVERY_COOLDOWN_MS = 5_000;

/** Verifies tokens of the embedded issuer with its own key, without HTTP. */
export function localVerifier(keys: DevelopmentKeys, rules: TokenRules): VerifyToken {
  const keySet = createLocalJWKSet({ keys: [publicJwk(keys)] });
  return (token) => verified(token, keySet, rules);
}

/** Our client at the issuer for introspection of opaque tokens (`OIDC_INTROSPECTION=1`). */
export type IntrospectionClient = { id: string; secret: string };

/**
 * Verifies tokens of `OIDC_ISSUER`; its keys are found at the first token and kept fresh.
 *
 * @param client with it, tokens that are no JWT are shown to the issuer (docs/guide/production.md#sign-in); without it
 * they are refused
 * @param cooldownMs how often at most an unknown key id makes us fetch the keys again
 */
export function remoteVerifier(
  rules: TokenRules,
  client?: IntrospectionClient,
  cooldownMs = JWKS_COOLDOWN_MS,
): VerifyToken {
  let found: Promise<Issuer> | undefined;
  const issuer = (): Promise<Issuer> => {
    found ??= discover(rules.issuer, client, cooldownMs).catch((error: unknown) => {
      setTimeout(() => (found = undefined), DISCOVERY_COOLDOWN_MS).unref();
      throw issuerAway(error);
    });
    return found;
  };
  return async (token) => {
    const { keySet, server } = await issuer();
    const isOpaque = token.split('.').length !== 3;
    return client !== undefined && isOpaque ? introspected(token, server, rules) : verified(token, keySet, rules);
  };
}

type Issuer = { server: Configuration; keySet: JWTVerifyGetKey };

async function discover(
  issuer: string,
  client: IntrospectionClient | undefined,
  cooldownMs: number,
): Promise<Issuer> {
  const url = new URL(issuer);
  const server = await discovery(
    url,
    client?.id ?? 'innkeeper',
    undefined,
    client === undefined ? None() : ClientSecretBasic(client.secret),
    { execute: url.protocol === 'http:' ? [allowInsecureRequests] : [], timeout: ISSUER_TIMEOUT_SECONDS },
  );
  const { jwks_uri: keys } = server.serverMetadata();
  if (keys === undefined) throw new Error('the issuer names no jwks_uri');
  const keySet = createRemoteJWKSet(new URL(keys), {
    cooldownDuration: cooldownMs,
    timeoutDuration: ISSUER_TIMEOUT_SECONDS * 1000,
  });
  return { server, keySet };
}

/** Introspection results are checked like the claims of a JWT. */
async function introspected(token: string, server: Configuration, rules: TokenRules): Promise<Identity> {
  const said = await tokenIntrospection(server, token).catch((error: unknown) => {
    throw issuerAway(error);
  });
  const now = secondsOf(rules);
  const audiences = [said.aud ?? []].flat();
  if (!said.active || !audiences.includes(rules.audience) || (said.exp ?? 0) <= now) {
    throw unauthenticated('The access token is not valid.');
  }
  return identityOf({ iss: said.iss ?? rules.issuer, sub: said.sub, exp: said.exp, scope: said.scope }, rules.issuer);
}

async function verified(token: string, keySet: JWTVerifyGetKey, rules: TokenRules): Promise<Identity> {
  try {
    const now = secondsOf(rules);
    demandOurIssuer(token, rules, now);
    const { payload, protectedHeader } = await jwtVerify(token, keySet, {
      currentDate: new Date(now * 1000),
      issuer: rules.issuer,
      audience: rules.audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'sub'],
    });
    demandAccessToken(protectedHeader.typ, payload, rules);
    // jose checks this only where a maximum age is set.
    if ((payload.iat ?? 0) > now + CLOCK_SKEW_SECONDS) {
      throw unauthenticated('The access token was made in the future.');
    }
    return identityOf(payload, rules.issuer);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (isOurFault(error)) throw issuerAway(error);
    throw unauthenticated(reasonOf(error));
  }
}

/**
 * Checks issuer and audience before the signature: reading claims takes a tenth of the time of verifying, and nearly
 * every foreign token differs in them.
 */
function demandOurIssuer(token: string, { issuer }: TokenRules, now: number): void {
  const { iss, exp } = decodeJwt(token);
  if (iss !== issuer) throw unauthenticated('The token has a wrong or missing `iss`.');
  if (typeof exp === 'number' && exp + CLOCK_SKEW_SECONDS < now)
    throw unauthenticated('The access token has expired.');
}

function secondsOf({ now = Date.now }: TokenRules): number {
  return now() / 1000;
}

/**
 * Rejects ID tokens: they say who signed in, not that the bearer may call this API (RFC 9068). Some issuers type both
 * as `JWT`.
 */
function demandAccessToken(typ: string | undefined, payload: JWTPayload, { tokenTyp }: TokenRules): void {
  const kind = typ?.toLowerCase().replace(/^application\//, '');
  if (kind === 'at+jwt') return;
  const looksLikeIdToken = 'nonce' in payload || 'at_hash' in payload;
  if (tokenTyp === 'JWT' && kind === 'jwt' && !looksLikeIdToken) return;
  throw unauthenticated('The token is not an access token (typ at+jwt).');
}

function identityOf({ iss, sub, exp, scope }: JWTPayload, issuer: string): Identity {
  if (iss !== issuer || typeof sub !== 'string' || sub === '' || typeof exp !== 'number') {
    throw unauthenticated('The token does not say who it is for.');
  }
  const scopes = typeof scope === 'string' ? scope.split(' ').filter((one) => one !== '') : [];
  return { issuer: iss, subject: sub, scopes, expiresAt: exp * 1000 };
}

/** Whether an error of jose concerns fetching the keys. All others concern the token. */
function isOurFault(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  if (!(error instanceof errors.JOSEError)) return true;
  return error.code === 'ERR_JOSE_GENERIC';
}

function issuerAway(cause: unknown): DomainError {
  const error = new DomainError('PARTNER_UNAVAILABLE', 'The token cannot be verified: its issuer does not answer.');
  error.cause = cause;
  return error;
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The access token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return `The token has a wrong or missing \`${error.claim}\`.`;
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token is signed with an algorithm that is not accepted.';
  return 'The access token is not valid.';
}
