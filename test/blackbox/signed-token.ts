import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Changes = { header?: Record<string, unknown>; claims?: JWTPayload };

/**
 * The token `pattern` with other claims or another header, signed by the development issuer's own key, which it keeps
 * in the data directory (docs/operations/process.md#start). A member that is `undefined` is left out.
 *
 * @throws Error when none of its files has the key
 */
export async function signedToken(dataDir: string, pattern: string, changes: Changes): Promise<string> {
  const { alg = '', kid, typ } = decodeProtectedHeader(pattern);
  const jwk = signingKey(dataDir, kid);
  return new SignJWT({ ...decodeJwt(pattern), ...changes.claims })
    .setProtectedHeader({ alg, kid, typ, ...changes.header })
    .sign(await importJWK(jwk, alg), { crit: { surprise: false } });
}

/** A token that the issuer signed an hour too early: `pattern` again, but expired. */
export function expiredToken(dataDir: string, pattern: string): Promise<string> {
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  return signedToken(dataDir, pattern, { claims: { iat: hourAgo - 60, exp: hourAgo } });
}

/** @throws Error when no file has it */
export function signingKey(dataDir: string, kid: string | undefined): JWK {
  const files = readdirSync(dataDir).filter((name) => name.endsWith('.json') && name !== 'dev.json');
  const keys = files.flatMap((name) => keysIn(JSON.parse(readFileSync(join(dataDir, name), 'utf8'))));
  const found = keys.find((key) => key.kid === kid);
  if (!found) throw new Error(`no key ${kid} in the data directory`);
  return found;
}

function keysIn(value: unknown): JWK[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('kty' in value && 'd' in value) {
    const jwk: JWK = JSON.parse(JSON.stringify(value));
    return [jwk];
  }
  return Object.values(value).flatMap(keysIn);
}
