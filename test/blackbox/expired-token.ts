import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';

/**
 * A token that the development issuer signed an hour too early: `pattern` again, but expired. The issuer keeps its
 * keys in the data directory (contracts.md 1); `undefined` when none of its files has the key.
 */
export async function expiredToken(dataDir: string, pattern: string): Promise<string | undefined> {
  const { alg = '', kid, typ } = decodeProtectedHeader(pattern);
  const jwk = privateKeys(dataDir).find((key) => key.kid === kid);
  if (!jwk) return undefined;
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  return new SignJWT({ ...decodeJwt(pattern) })
    .setProtectedHeader({ alg, kid, typ })
    .setIssuedAt(hourAgo - 60)
    .setExpirationTime(hourAgo)
    .sign(await importJWK(jwk, alg));
}

function privateKeys(dataDir: string): JWK[] {
  const files = readdirSync(dataDir).filter((name) => name.endsWith('.json') && name !== 'dev.json');
  return files.flatMap((name) => keysIn(JSON.parse(readFileSync(join(dataDir, name), 'utf8'))));
}

function keysIn(value: unknown): JWK[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('kty' in value && 'd' in value) {
    const jwk: JWK = JSON.parse(JSON.stringify(value));
    return [jwk];
  }
  return Object.values(value).flatMap(keysIn);
}
