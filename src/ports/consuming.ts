import type { EventCodec } from './event-codec.ts';
import type { EventSender } from './event-sender.ts';

/** How the reading of topics goes; its reader keeps it, health and metrics show it. */
export type Consuming = {
  /** Whether the topics are read at the moment; if not, why. */
  reading: boolean;
  trouble?: string;
  /** Records since the start: all that came, those that changed something, those put aside, and tries that failed. */
  records: number;
  taken: number;
  deadLettered: number;
  retried: number;
  /** Records of each topic that this process has yet to take. */
  lag: Record<string, number>;
};

export const notYetConsuming = (): Consuming => ({
  reading: false,
  ...{ records: 0, taken: 0, deadLettered: 0, retried: 0, lag: {} },
});

/** To and from the topics, where there are brokers. */
export type Topics<Client> = {
  sender: EventSender;
  codec: EventCodec;
  brokers: readonly string[];
  /** Makes the topics that are not there. */
  prepare(): Promise<void>;
  /** A connection of its own, for who reads. */
  client(): Client;
  consuming: Consuming;
};
