export { connect, dataOf, type Innkeeper, type InnkeeperOptions } from './client.ts';
export type { components as RateComponents, operations as RateOperations } from './generated/rate.ts';
export type {
  components as ReservationComponents,
  operations as ReservationOperations,
} from './generated/reservation.ts';
export type * from './live/frames.ts';
export {
  LiveClient,
  type LiveClientOptions,
  type LiveProblem,
  type StreamListener,
  type StreamState,
  type WantedProperty,
} from './live/live-client.ts';
export { cellKey, Replica, type ReplicaOutcome } from './live/replica.ts';
export { itemsOf, type Page } from './pages.ts';
export { type Problem, ProblemError } from './problem.ts';
export { type Patience, randomKey, sendPatiently } from './retrying.ts';
