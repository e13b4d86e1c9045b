import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const keyFile = z.object({
  signing: z.object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string(),
    d: z.string(),
    kid: z.string(),
    alg: z.literal('EdDSA'),
    use: z.literal('sig'),
  }),
  cookies: z.array(z.string()).min(1),
});

/** What the development issuer signs with: one private Ed25519 key (cheap to verify everywhere) and cookie secrets. */
export type DevelopmentKeys = Readonly<z.infer<typeof keyFile>>;

/**
 * The keys stored in `DATA_DIR/oidc-keys.json` (mode 0600), made at the first call: tokens survive a restart, and the
 * token command signs without a running service (docs/operations/process.md#start).
 *
 * @throws Error when the file is there and not ours
 */
export async function developmentKeys(dataDir: string): Promise<DevelopmentKeys> {
  const file = join(dataDir, 'oidc-keys.json');
  if (!existsSync(file)) {
    const fresh = await freshKeys();
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, `${JSON.stringify(fresh)}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Service and token command may start together: the first one wins.
      if (!existsSync(file)) throw error;
    }
  }
  return keyFile.parse(JSON.parse(readFileSync(file, 'utf8')));
}

async function freshKeys(): Promise<DevelopmentKeys> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return keyFile.parse({
    signing: { ...jwk, kid, alg: 'EdDSA', use: 'sig' },
    cookies: [randomBytes(24).toString('base64url')],
  });
}

/** The part of the signing key that verifies. */
export function publicJwk({ signing }: DevelopmentKeys): Omit<DevelopmentKeys['signing'], 'd'> {
  const { d: _secret, ...rest } = signing;
  return rest;
}
