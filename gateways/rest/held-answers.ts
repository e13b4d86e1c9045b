import { LRUCache } from 'lru-cache';

/** Of all answers of this process together; further ones are encoded again. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** Stands for an answer that was given once: most are, so only the second request caches one. */
const ONCE = Buffer.alloc(0);

const cached = new LRUCache<string, Buffer>({
  maxSize: MAX_CACHED_BYTES,
  sizeCalculation: (bytes, tag) => bytes.length + tag.length,
});

/** Bytes of an answer, encoded once where it is given again. */
export function answerBytes(tag: string, write: () => string): Buffer {
  const known = cached.get(tag);
  if (known && known !== ONCE) return known;
  const bytes = Buffer.from(write());
  cached.set(tag, known ? bytes : ONCE);
  return bytes;
}
