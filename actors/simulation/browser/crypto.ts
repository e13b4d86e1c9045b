/** `node:crypto` for a browser, as far as actors use it: SHA-256 that answers at once, which a browser has not. */

/** Fractional parts of the cube roots (round constants) and square roots (start) of the first primes, 32 bits each. */
const PRIMES = primes(64);
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK_BYTES = 64;
const URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type Encoding = 'hex' | 'base64url';

function sha256Of(_algorithm: 'sha256', text: string, encoding: Encoding): string {
  return encoded(sha256(new TextEncoder().encode(text)), encoding);
}

export { sha256Of as hash };

export function createHash(_algorithm: 'sha256'): BrowserHash {
  return new BrowserHash();
}

class BrowserHash {
  #text = '';

  update(text: string): this {
    this.#text += text;
    return this;
  }

  digest(encoding: Encoding): string {
    return sha256Of('sha256', this.#text, encoding);
  }
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function sha256(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK_BYTES);
  const bytes = new Uint8Array(blocks * BLOCK_BYTES);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length * 8);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    for (let n = 0; n < 16; n++) words[n] = view.getUint32(at + 4 * n);
    expand(words);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => digest.setUint32(4 * n, word));
  return new Uint8Array(digest.buffer);
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function expand(words: Uint32Array): void {
  for (let n = 16; n < 64; n++) {
    const [early, late] = [words[n - 15]!, words[n - 2]!];
    const low = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const high = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[n] = words[n - 16]! + low + words[n - 7]! + high;
  }
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let n = 0; n < 64; n++) {
    const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + ROUND[n]! + words[n]!) | 0;
    const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = state[n]! + word));
}

function encoded(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  let text = '';
  for (let bit = 0; bit < bytes.length * 8; bit += 6) {
    const at = bit >> 3;
    const pair = (bytes[at]! << 8) | (bytes[at + 1] ?? 0);
    text += URL_ALPHABET[(pair >> (10 - (bit & 7))) & 63];
  }
  return text;
}
