import type { Consuming } from '../../events/ports.ts';
import type { HealthCheck } from '../../kernel/ports.ts';

/** `kafka` of the health (docs/operations/health.md#components): the brokers as who sends and who reads see them. */
export function kafkaHealth(sending: HealthCheck, consuming: Consuming): HealthCheck {
  return {
    essential: false,
    async check() {
      const { status, details } = await sending.check();
      const { reading, trouble, lag, deadLettered } = consuming;
      const consumers = { reading, ...(trouble !== undefined && { trouble }), lag, deadLettered };
      // Before the first word of either nobody knows.
      return {
        status: status === 'UP' && !reading && trouble !== undefined ? 'DOWN' : status,
        details: { ...details, consumers },
      };
    },
  };
}
