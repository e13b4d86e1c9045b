import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

import type { SigningKey } from '../../src/kernel/operations/signed-text.ts';
import type { TenantId } from '../../src/kernel/rules/ids.ts';
import type { SessionPlace } from '../../src/tenants/ports.ts';

const SECRET_BYTES = 32;
const KEY_BYTES = 32;
/** `<tenant>.<secret>.<key id>.<mac>`, and nothing that is longer. */
const COOKIE = /^([A-Za-z0-9][A-Za-z0-9_-]{0,49})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{1,20})\.([A-Za-z0-9_-]{43})$/;

/**
 * Session cookies with an HMAC under a key derived from `SECRET_KEYS`: a foreign cookie is rejected by computation
 * alone (5 us), so that anonymous clients cannot cause database queries. A valid MAC grants nothing by itself: the
 * session must exist.
 */
export class SessionCookies {
  readonly #keys: readonly { id: string; key: KeyObject }[];

  /** @param keys newest first; cookies under older keys are still accepted */
  constructor(keys: readonly SigningKey[]) {
    if (keys.length === 0) throw new Error('session cookies need a signing key');
    this.#keys = keys.map(({ id, secret }) => ({
      id,
      key: createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'session cookie', KEY_BYTES))),
    }));
  }

  /** Creates a cookie for a tenant, and the key under which its session is stored. */
  make(tenantId: TenantId): { cookie: string; place: SessionPlace } {
    const { id, key } = this.#keys[0]!;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const cookie = `${tenantId}.${secret}.${id}.${macOf(key, tenantId, secret).toString('base64url')}`;
    const place = this.placeOf(cookie);
    if (place === undefined) throw new Error('the cookie has no valid tenant');
    return { cookie, place };
  }

  /**
   * Where the session of a cookie is stored; `undefined` for a foreign cookie. The table does not reveal any cookie.
   */
  placeOf(cookie: string | undefined): SessionPlace | undefined {
    const [, tenantId, secret, keyId, mac] = COOKIE.exec(cookie ?? '') ?? [];
    const key = this.#keys.find(({ id }) => id === keyId)?.key;
    if (tenantId === undefined || secret === undefined || mac === undefined || key === undefined) return undefined;
    const given = Buffer.from(mac, 'base64url');
    const wanted = macOf(key, tenantId, secret);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    return { tenantId, id: createHash('sha256').update(secret).digest('base64url') };
  }
}

function macOf(key: KeyObject, tenantId: TenantId, secret: string): Buffer {
  return createHmac('sha256', key).update(`${tenantId}.${secret}`).digest();
}
