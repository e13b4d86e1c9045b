import t from 'tap';

import { readImage } from './image-bytes.ts';

const bytes = (...parts: (number[] | string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const segment = (marker: number, content: Buffer): Buffer =>
  bytes([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff], content);

/** Little-endian TIFF with an orientation, and a text in place of coordinates. */
const exif = (orientation: number): Buffer =>
  bytes('Exif\0\0II', [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0], 'Lisbon');
const frame = segment(0xc2, bytes([8, 0, 30, 0, 40, 3, 0, 0, 0]));
const jpeg = (orientation: number): Buffer =>
  bytes(
    [0xff, 0xd8],
    segment(0xe0, bytes('JFIF\0')),
    segment(0xe1, exif(orientation)),
    segment(0xfe, bytes('by Ada')),
    frame,
    segment(0xda, bytes([0])),
    'pixels',
  );

t.test('a JPEG loses what its camera wrote, and stays as it is turned', async (t) => {
  const upright = readImage(jpeg(1));
  t.match(upright, { mediaType: 'image/jpeg', width: 40, height: 30 });
  const turned = readImage(jpeg(6));
  t.match(turned, { width: 30, height: 40 });
  for (const image of [upright, turned]) {
    const text = Buffer.from((image as { content: Uint8Array }).content).toString('latin1');
    t.match(text, /JFIF[^]*pixels/);
    t.notMatch(text, /Lisbon|Ada/);
  }
  t.match(
    readImage((turned as { content: Uint8Array }).content),
    { width: 30, height: 40 },
    'read again, it is the same',
  );
});

t.test('a WebP loses it too', async (t) => {
  const size = (length: number): number[] => [length & 0xff, length >> 8, 0, 0];
  const chunks = bytes(
    'VP8X',
    size(10),
    [0b1100, 0, 0, 0, 9, 0, 0, 4, 0, 0],
    'EXIF',
    size(6),
    'Lisbon',
    'VP8 ',
    size(2),
    'px',
  );
  const image = readImage(bytes('RIFF', size(chunks.length + 4), 'WEBP', chunks));
  t.match(image, { mediaType: 'image/webp', width: 10, height: 5 });
  const { content } = image as { content: Uint8Array };
  t.notMatch(Buffer.from(content).toString('latin1'), /Lisbon|EXIF/);
  t.equal(content[20], 0, 'nothing is announced that is not there');
  t.equal(content[4], content.length - 8);
});

t.test('an AVIF is taken without metadata only', async (t) => {
  const avif = (item: string): Buffer =>
    bytes(
      [0, 0, 0, 20],
      'ftypavif',
      [0, 0, 0, 0],
      'infe',
      [2, 0, 0, 0, 0, 1, 0, 0],
      item,
      'ispe',
      [0, 0, 0, 0],
      [0, 0, 0, 8, 0, 0, 0, 6],
    );
  t.match(readImage(avif('av01')), { mediaType: 'image/avif', width: 8, height: 6 });
  t.equal(readImage(avif('Exif')), 'LOCATION');
});

t.test('what is no photo, or only a part of one', async (t) => {
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '%PDF-1.7'])
    t.equal(readImage(bytes(text)), 'FORMAT', text);
  const whole = jpeg(1);
  for (let length = 3; length < whole.length - 'pixels'.length - 3; length++)
    t.equal(readImage(whole.subarray(0, length)), 'BROKEN', `${length} bytes`);
  t.equal(readImage(bytes([0x89], 'PNG\r\n', [0x1a], '\n', [0, 0, 0, 13], 'IHDR')), 'BROKEN');
});
