import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A signing key with the id that tokens carry. */
export type SigningKey = { id: string; secret: Uint8Array };

/**
 * Text that we hand out and take back: quote tokens and page cursors. Readable, but not to be forged: HMAC-SHA-256
 * under the newest key; older keys are still accepted.
 */
export class SignedText {
  readonly #keys: readonly Key[];

  /** @param keys newest first */
  constructor(keys: readonly SigningKey[]) {
    if (keys.length === 0) throw new Error('no signing key');
    this.#keys = keys.map(({ id, secret }) => ({ id, secret: createSecretKey(secret) }));
  }

  /** `<key id>.<payload>.<mac>`; `purpose` keeps a cursor from being taken for a quote. */
  sign(purpose: string, payload: string): string {
    const key = this.#keys[0]!;
    const body = Buffer.from(payload).toString('base64url');
    return `${key.id}.${body}.${mac(key, purpose, body).toString('base64url')}`;
  }

  /** The payload, or `undefined` when the text is not ours, was changed, or had another purpose. */
  open(purpose: string, text: string): string | undefined {
    const [id, body, given, ...rest] = text.split('.');
    const key = this.#keys.find((one) => one.id === id);
    if (!key || body === undefined || given === undefined || rest.length > 0) return undefined;
    const wanted = mac(key, purpose, body);
    const presented = Buffer.from(given, 'base64url');
    if (presented.length !== wanted.length || !timingSafeEqual(presented, wanted)) return undefined;
    return Buffer.from(body, 'base64url').toString();
  }
}

/** Imported once: importing costs more than signing. */
type Key = { id: string; secret: KeyObject };

function mac(key: Key, purpose: string, body: string): Buffer {
  return createHmac('sha256', key.secret).update(`${purpose}\n${body}`).digest();
}
