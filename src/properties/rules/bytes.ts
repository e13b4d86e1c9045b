import type { PhotoType } from './photo.ts';

/** An image without what its camera has written into it, such as the place. */
export type CleanImage = { mediaType: PhotoType; width: number; height: number; content: Uint8Array };

/** Bytes as Latin text. */
export function latinAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCodePoint(...bytes.subarray(at, at + length));
}

/** Joins parts of an image. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
