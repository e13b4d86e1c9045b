import { gzipSync } from 'node:zlib';
import t from 'tap';

import { sentBytes } from './begin-import.ts';

void t.test('a large body is opened part by part, and others go on in between', async (t) => {
  const parts = Array.from({ length: 20 }, (_, n) => gzipSync(Buffer.alloc(1_000, n)).toString('base64'));
  const services = {
    imports: { uploadPart: async (_: object, n: number) => parts[n] },
    sealed: { open: (text: string) => text },
  };
  // As requests of others, timers run only in between.
  let others = 0;
  const timer = setInterval(() => (others += 1), 0);
  const to = { tenantId: 'demo', propertyId: 'p' };
  const bytes = await sentBytes(services as never, { to, importId: 'i' });
  clearInterval(timer);
  t.equal(bytes.length, 20_000);
  t.equal(bytes[19_999], 19);
  t.ok(others >= parts.length / 2, `${others} times`);
});
