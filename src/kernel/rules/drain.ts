/**
 * Time limits of the parts of a drain, in milliseconds, in one place so that they fit together: first what moves to
 * other nodes, then requests under way, then the end of the lease. The launcher kills a process that takes longer.
 */
export const DRAIN_MS = {
  /**
   * The whole drain: the process ends then in any case. The database may have to stop afterwards
   * (docs/operations/process.md#stop).
   */
  all: 7_000,
  /**
   * Until then properties move one after the other, each activated at its new owner; from then on without waiting,
   * until `moveAll` (both from the start of the drain).
   */
  moveGradually: 3_000,
  moveAll: 4_000,
  /**
   * Meanwhile sockets are told to reconnect to another node, spread over this time (docs/concepts/cluster.md#drain).
   */
  sockets: 3_000,
  /** The same without other nodes: shorter, since clients can only wait for the restart. */
  socketsAlone: 1_000,
  /** Time for the closing handshake of a client. */
  goodbye: 1_000,
  /** Requests under way are cut off at this time from the start of the drain, but have at least `requestsAtLeast`. */
  requestsUntil: 5_000,
  requestsAtLeast: 1_000,
  /** Ending the lease waits so long for an unavailable database. */
  lease: 1_000,
  /** Closing the pool waits so long for abandoned queries. */
  pool: 500,
};
