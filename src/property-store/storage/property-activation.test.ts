import t from 'tap';

import { Line } from '../../testing/cluster/line.ts';
import { withTestDatabase } from '../../testing/database.ts';
import { PropertyActivation } from './property-activation.ts';

void t.test('a connection that breaks while a property is read fails that reading only', async (t) => {
  const { url } = await withTestDatabase(t);
  const { line, url: byLine } = await Line.to(url);
  t.teardown(() => line[Symbol.asyncDispose]());
  const activating = new PropertyActivation(byLine, 'node-a');
  t.teardown(() => activating[Symbol.asyncDispose]());
  const to = { tenantId: 'acme', propertyId: 'anchor' };
  t.equal(await activating.open(to, true), undefined, 'there is no such property');
  line.isStuck = true;
  const reading = activating.open(to, false);
  const isOver = t.rejects(reading, /terminated|ECONNRESET|closed/i);
  await new Promise((done) => setTimeout(done, 50));
  // Only the reader gets the error; otherwise the process would end here.
  line.cut();
  await isOver;
  line.isStuck = false;
  line.mend();
  t.match(
    await activating.open(to, false),
    { ownership: { epoch: Number, seq: 0 } },
    'the next has another connection',
  );
});
