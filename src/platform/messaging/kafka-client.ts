import type { Kafka as Client } from 'kafkajs';

import type { Log } from '../../kernel/ports.ts';
import { loadKafkaJs } from './kafkajs.ts';

const CONNECT_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 10_000;
/** Attempts of one request, some 2.5 s: new topics need a moment to have leaders. The caller retries later. */
export const KAFKA_TRIES = 6;
export const KAFKA_PAUSES_MS = { first: 100, longest: 1_000 };

/** Creates the client for all uses of the brokers. Its log lines go to the service's log, without record contents. */
export function kafkaClient(brokers: readonly string[], log: Log): Client {
  const { Kafka, logLevel } = loadKafkaJs();
  return new Kafka({
    clientId: 'innkeeper',
    brokers: [...brokers],
    connectionTimeout: CONNECT_WITHIN_MS,
    requestTimeout: ANSWER_WITHIN_MS,
    retry: {
      retries: KAFKA_TRIES - 1,
      initialRetryTime: KAFKA_PAUSES_MS.first,
      maxRetryTime: KAFKA_PAUSES_MS.longest,
    },
    logLevel: logLevel.WARN,
    // An unavailable broker shows in health, and its users log it once: all else is logged at debug level.
    logCreator:
      () =>
      ({ namespace, log: { message, error } }) =>
        log.debug({ namespace, error }, message),
  });
}
