import { test } from 'tap';

import type { EndedSpan, Tracer } from '../src/kernel/ports.ts';
import { ownEnvelope, type Waiting } from './mailbox.ts';
import { traceBatch } from './traced-batch.ts';

const to = { tenantId: 'demo', propertyId: 'harbor-hotel' };

/** Keeps spans; the place of each is its number. */
function recorded() {
  const spans: (EndedSpan & { place: string })[] = [];
  const noted = new Map<string, string>();
  const tracer: Tracer = {
    open: () => undefined,
    record(span) {
      spans.push({ ...span, place: String(spans.length) });
      return String(spans.length - 1);
    },
    note: (requestId, at) => void noted.set(requestId, at),
    noted: (requestId) => noted.get(requestId),
  };
  return { tracer, spans, noted };
}

const waiting = (requestId: string, trace?: string): Waiting => ({
  envelope: { ...ownEnvelope({ type: 'TICK' }), requestId, ...(trace !== undefined && { trace }) },
  ...(trace !== undefined && { putAt: 10 }),
  resolve: () => undefined,
  reject: () => undefined,
});

void test('only commands that are traced leave spans, each in its own trace', async (t) => {
  const { tracer, spans, noted } = recorded();
  const batch = [waiting('r1', 'trace-1'), waiting('r2'), waiting('r3', 'trace-3')];
  traceBatch(tracer, to, { batch, began: 20, sent: 25, wrote: true });
  t.same(
    spans.map(({ name, parent }) => `${name} < ${parent}`),
    ['actor TICK < trace-1', 'mailbox < 0', 'decide < 0', 'lane commit < 0'].concat([
      'actor TICK < trace-3',
      'mailbox < 4',
      'decide < 4',
      'lane commit < 4',
    ]),
  );
  const [actor, mailbox, decide, commit] = spans;
  t.same([mailbox!.from, mailbox!.to, decide!.to, commit!.from], [10, 20, 25, 25]);
  t.equal(actor!.to, commit!.to);
  t.match(actor!.facts, { 'innkeeper.tenant': 'demo', 'innkeeper.batch.commands': 3 });
  t.same(
    [...noted],
    [
      ['r1', '3'],
      ['r3', '7'],
    ],
    'what is published later is linked to the commit',
  );
});

void test('what wrote nothing has no commit', async (t) => {
  const { tracer, spans, noted } = recorded();
  traceBatch(tracer, to, { batch: [waiting('r1', 'trace-1')], began: 20, sent: 25, wrote: false });
  t.same(
    spans.map(({ name }) => name),
    ['actor TICK', 'mailbox', 'decide'],
  );
  t.equal(noted.size, 0);
});
