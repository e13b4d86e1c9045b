import type { Consuming } from '../../events/ports.ts';
import type { HealthCheck } from '../../kernel/ports.ts';

/** Health component `kafka` (docs/operations/health.md#components): the brokers as seen by sender and reader. */
export function kafkaHealth(sending: HealthCheck, consuming: Consuming): HealthCheck {
  return {
    essential: false,
    async check() {
      const { status, details } = await sending.check();
      const { reading, trouble, lag, deadLettered } = consuming;
      const consumers = { reading, ...(trouble !== undefined && { trouble }), lag, deadLettered };
      // Before the first result of either the state is unknown.
      return {
        status: status === 'UP' && !reading && trouble !== undefined ? 'DOWN' : status,
        details: { ...details, consumers },
      };
    },
  };
}
