import { crc32, deflateSync } from 'node:zlib';

/** A PNG of one colour, 3 pixels high, with a text about its place, as cameras write it. */
export function pngWithPlace(width = 4): Uint8Array<ArrayBuffer> {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    const content = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, check]);
  };
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, 3, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  // Each line begins with its filter.
  const lines = Buffer.alloc(3 * (width + 1), 0x80).map((value, index) => (index % (width + 1) === 0 ? 0 : value));
  const chunks = [
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from('Place\0Lisbon')),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}
