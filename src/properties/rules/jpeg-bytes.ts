import { type CleanImage, joined, latinAt } from './bytes.ts';

const SEGMENT = 0xff;
const START_OF_IMAGE = 0xd8;
const START_OF_SCAN = 0xda;
const EXIF = 0xe1;
const IPTC = 0xed;
const COMMENT = 0xfe;
const DROPPED = new Set([EXIF, IPTC, COMMENT]);
/** Frames of all codings; those between them are no frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const ORIENTATION = 0x01_12;
/** An upright picture. */
const UPRIGHT = 1;

export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === SEGMENT && bytes[1] === START_OF_IMAGE && bytes[2] === SEGMENT;

/** A JPEG without the segments of its camera; how it is to be turned stays. */
export function cleanJpeg(bytes: Uint8Array): CleanImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let size: { width: number; height: number } | undefined;
  let orientation = UPRIGHT;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== SEGMENT) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === START_OF_SCAN) {
      parts.push(bytes.subarray(at));
      break;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) return undefined;
    if (isFrame(marker)) size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === EXIF && latinAt(bytes, at + 4, 4) === 'Exif')
      orientation = orientationIn(bytes.subarray(at + 10, end)) ?? orientation;
    if (!DROPPED.has(marker)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  if (!size) return undefined;
  const turned = orientation === UPRIGHT ? [] : [orientationSegment(orientation)];
  const content = joined([bytes.subarray(0, 2), ...turned, ...parts]);
  // From the fifth orientation on, the sides are exchanged.
  const { width, height } = orientation < 5 ? size : { width: size.height, height: size.width };
  return { mediaType: 'image/jpeg', width, height, content };
}

/** The orientation of a TIFF block; `undefined` where it says none. */
function orientationIn(tiff: Uint8Array): number | undefined {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = view.getUint16(0) === 0x49_49;
  const directory = view.getUint32(4, isLittle);
  const count = view.getUint16(directory, isLittle);
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12;
    if (view.getUint16(at, isLittle) !== ORIENTATION) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** An EXIF segment that says nothing but the orientation. */
function orientationSegment(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  return Uint8Array.from([SEGMENT, EXIF, 0, exif.length + 2, ...exif]);
}
