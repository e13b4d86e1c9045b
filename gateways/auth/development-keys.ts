import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Secrets of the development issuer: one private Ed25519 key (cheap to verify) and cookie secrets. */
export type DevelopmentKeys = Readonly<z.infer<typeof keyFile>>;

/**
 * Reads the keys from `DATA_DIR/oidc-keys.json` (mode 0600), or creates them: tokens survive a restart, and the token
 * command signs without a running service (docs/operations/process.md#start).
 *
 * @throws Error when the file exists with other content
 */
export async function developmentKeys(dataDir: string): Promise<DevelopmentKeys> {
  const file = join(dataDir, 'oidc-keys.json');
  if (!existsSync(file)) {
    const fresh = await freshKeys();
    mkdirSync(dataDir, { recursive: true });
    const unfinished = `${file}.new-${process.pid}`;
    try {
      // It appears whole: one that a full disk left empty would stop every later start.
      writeFileSync(unfinished, `${JSON.stringify(fresh)}\n`, { mode: 0o600, flush: true });
      linkSync(unfinished, file);
    } catch (error) {
      // Service and token command may start at the same time: the first file stays.
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(unfinished, { force: true });
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

/** The public part of the signing key. */
export function publicJwk({ signing }: DevelopmentKeys): Omit<DevelopmentKeys['signing'], 'd'> {
  const { d: _secret, ...rest } = signing;
  return rest;
}
