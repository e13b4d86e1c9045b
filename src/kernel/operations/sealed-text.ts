import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

import type { SigningKey } from './signed-text.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Secret text to be stored, such as the token of a card on file: encrypted under the newest key; texts under older
 * keys can still be read.
 */
export class SealedText {
  readonly #keys: readonly { id: string; key: KeyObject }[];

  /** @param keys newest first */
  constructor(keys: readonly SigningKey[]) {
    if (keys.length === 0) throw new Error('sealed texts need an encryption key');
    this.#keys = keys.map(({ id, secret }) => ({
      id,
      // A key object: for plain bytes Node creates one each time, which takes twice as long as the encryption.
      key: createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'sealed text', KEY_BYTES))),
    }));
  }

  /** @param bound owner of the text: it cannot be opened for another one */
  seal(plain: string, bound: string): string {
    const { id, key } = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound));
    const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${id}.${Buffer.concat(parts).toString('base64url')}`;
  }

  /** @throws Error when the text was changed, belongs to another owner, or its key is gone */
  open(sealed: string, bound: string): string {
    const at = sealed.indexOf('.');
    const key = this.#keys.find(({ id }) => id === sealed.slice(0, at))?.key;
    if (!key) throw new Error(`SECRET_KEYS lacks the key ${sealed.slice(0, at)}`);
    const bytes = Buffer.from(sealed.slice(at + 1), 'base64url');
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(bound));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
