import { importJWK, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';

import { DEMO_TENANTS, DEMO_USERS, OPERATOR_SUBJECT } from '../../src/demo/rules/demo-users.ts';
import type { Role } from '../../src/kernel/rules/caller.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { DevelopmentKeys } from './development-keys.ts';
import { OPERATE_SCOPE } from './identity.ts';

/** Lifetime of development tokens: 24 h (docs/operations/process.md#start). */
export const TOKEN_LIFETIME_SECONDS = 24 * 3600;

type TokenFor = { issuer: string; audience: string; subject: string; scope?: string };

/** Signs an access token (RFC 9068) as the development issuer would, without calling it. */
export async function mint(keys: DevelopmentKeys, { issuer, audience, subject, scope }: TokenFor): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ client_id: 'development', ...(scope !== undefined && { scope }) })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keys.signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
    .sign(await importJWK(keys.signing, 'EdDSA'));
}

/** `tokens` and `operatorToken` of dev.json. */
type DevelopmentTokens = { tokens: Record<string, Record<Role, string>>; operatorToken: string };

/** One token for each demo user, and the operator's. */
export async function mintDevelopmentTokens(
  keys: DevelopmentKeys,
  rules: { issuer: string; audience: string },
): Promise<DevelopmentTokens> {
  const of = async (tenantId: TenantId, role: Role): Promise<string> => {
    const user = DEMO_USERS.find((one) => one.tenantId === tenantId && one.role === role);
    if (user === undefined) throw new Error(`no demo user ${role} of ${tenantId}`);
    return mint(keys, { ...rules, subject: user.subject });
  };
  const tokens: DevelopmentTokens['tokens'] = {};
  for (const tenantId of DEMO_TENANTS) {
    tokens[tenantId] = {
      OWNER: await of(tenantId, 'OWNER'),
      ADMIN: await of(tenantId, 'ADMIN'),
      MANAGER: await of(tenantId, 'MANAGER'),
      STAFF: await of(tenantId, 'STAFF'),
      VIEWER: await of(tenantId, 'VIEWER'),
    };
  }
  const operatorToken = await mint(keys, { ...rules, subject: OPERATOR_SUBJECT, scope: OPERATE_SCOPE });
  return { tokens, operatorToken };
}
