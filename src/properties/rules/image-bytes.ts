import { type CleanImage, joined, latinAt } from './bytes.ts';
import { cleanJpeg, isJpeg } from './jpeg-bytes.ts';

/** Why bytes are no photo: none of the formats, broken, or with data that cannot be taken out of it. */
export type ImageFault = 'FORMAT' | 'BROKEN' | 'LOCATION';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Chunks of a PNG with what its maker has written, and the place. */
const PNG_DROPPED = new Set(['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME']);
const WEBP_DROPPED = new Set(['EXIF', 'XMP ']);
/** Flags of a VP8X chunk that announce what is dropped: EXIF and XMP. */
const WEBP_METADATA_FLAGS = 0b1100;

/**
 * Reads an image by its first bytes, whatever its name or media type say, and takes metadata out of it
 * (docs/reference/photos.md#metadata).
 */
export function readImage(bytes: Uint8Array): CleanImage | ImageFault {
  try {
    if (isJpeg(bytes)) return cleanJpeg(bytes) ?? 'BROKEN';
    if (PNG_SIGNATURE.every((byte, at) => bytes[at] === byte)) return png(bytes) ?? 'BROKEN';
    if (latinAt(bytes, 0, 4) === 'RIFF' && latinAt(bytes, 8, 4) === 'WEBP') return webp(bytes) ?? 'BROKEN';
    if (latinAt(bytes, 4, 4) === 'ftyp' && /^(avif|avis)/.test(latinAt(bytes, 8, 4))) return avif(bytes);
    return 'FORMAT';
  } catch (error) {
    // A length that leads beyond the end.
    if (error instanceof RangeError) return 'BROKEN';
    throw error;
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function png(bytes: Uint8Array): CleanImage | undefined {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, PNG_SIGNATURE.length)];
  const kinds = new Set<string>();
  let at = PNG_SIGNATURE.length;
  while (at < bytes.length) {
    const end = at + 12 + view.getUint32(at);
    const kind = latinAt(bytes, at + 4, 4);
    if (end > bytes.length) return undefined;
    kinds.add(kind);
    if (!PNG_DROPPED.has(kind)) parts.push(bytes.subarray(at, end));
    at = end;
    // What stands behind the end of the image is no part of it.
    if (kind === 'IEND') break;
  }
  if (latinAt(bytes, 12, 4) !== 'IHDR' || !kinds.has('IDAT') || !kinds.has('IEND')) return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20), content: joined(parts) };
}

function webp(bytes: Uint8Array): CleanImage | undefined {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [];
  let size: { width: number; height: number } | undefined;
  const last = Math.min(bytes.length, 8 + view.getUint32(4, true));
  for (let at = 12; at + 8 <= last;) {
    const kind = latinAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return undefined;
    const chunk = bytes.slice(at, end);
    size ??= webpSize(kind, chunk);
    if (kind === 'VP8X') chunk[8] = chunk[8]! & ~WEBP_METADATA_FLAGS;
    if (!WEBP_DROPPED.has(kind)) parts.push(chunk);
    at = end;
  }
  if (!size) return undefined;
  const body = joined(parts);
  const head = bytes.slice(0, 12);
  viewOf(head).setUint32(4, body.length + 4, true);
  return { mediaType: 'image/webp', ...size, content: joined([head, body]) };
}

/** The size that a chunk of a WebP says. */
function webpSize(kind: string, chunk: Uint8Array): { width: number; height: number } | undefined {
  const view = viewOf(chunk);
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (kind === 'VP8X') return { width: three(12) + 1, height: three(15) + 1 };
  if (kind === 'VP8 ')
    return { width: view.getUint16(14, true) & 0x3f_ff, height: view.getUint16(16, true) & 0x3f_ff };
  if (kind !== 'VP8L') return undefined;
  const bits = view.getUint32(9, true);
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
}

/** An AVIF keeps its metadata as items that others refer to by their place: one with such items is refused. */
function avif(bytes: Uint8Array): CleanImage | ImageFault {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_AVIF_HEAD)).toString('latin1');
  const at = text.indexOf('ispe');
  if (at < 0) return 'BROKEN';
  if (/infe[^]{8}(Exif|mime)/.test(text)) return 'LOCATION';
  const view = viewOf(bytes);
  return { mediaType: 'image/avif', width: view.getUint32(at + 8), height: view.getUint32(at + 12), content: bytes };
}

/** Bytes in which an AVIF describes its items. */
const MAX_AVIF_HEAD = 64 * 1024;
