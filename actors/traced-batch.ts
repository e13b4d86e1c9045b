import type { Tracer } from '../src/kernel/ports.ts';
import type { Address } from '../src/kernel/rules/caller.ts';
import type { Waiting } from './mailbox.ts';

/** A committed batch with its times: when it was taken out of the mailbox, and when its decision was complete. */
type TracedBatch = { batch: readonly Waiting[]; began: number; sent: number; wrote: boolean };

/** Records spans for each traced command: waiting, decision, commit. */
export function traceBatch(tracer: Tracer, to: Address, { batch, began, sent, wrote }: TracedBatch): void {
  const now = performance.now();
  for (const { envelope, putAt = began } of batch) {
    const { trace, command, requestId } = envelope;
    if (trace === undefined) continue;
    const facts = {
      'innkeeper.tenant': to.tenantId,
      'innkeeper.property': to.propertyId,
      'innkeeper.command': command.type,
      'innkeeper.batch.commands': batch.length,
    };
    const parent = tracer.record({ name: `actor ${command.type}`, parent: trace, from: putAt, to: now, facts });
    tracer.record({ name: 'mailbox', parent, from: putAt, to: began });
    tracer.record({ name: 'decide', parent, from: began, to: sent });
    if (wrote) tracer.note(requestId, tracer.record({ name: 'lane commit', parent, from: sent, to: now }));
  }
}
