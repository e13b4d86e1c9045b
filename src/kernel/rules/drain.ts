/**
 * How long the parts of a drain may take, in milliseconds, all in one place so that they fit together: what goes to
 * other nodes, then requests under way, then the end of the lease. The launcher kills a process that takes longer.
 */
export const DRAIN_MS = {
  /**
   * All of it: the process ends then, whatever still keeps it. A database may have to stop after it
   * (docs/operations/process.md#stop).
   */
  all: 7_000,
  /** Properties are handed over calmly for so long, then all that are left, until so long after the beginning. */
  moveGradually: 3_000,
  moveAll: 4_000,
  /**
   * Meanwhile sockets are asked to reconnect to another node, spread over this time (docs/concepts/cluster.md#drain).
   */
  sockets: 3_000,
  /** The same without other nodes: there is nowhere else to go, so it is over sooner. */
  socketsAlone: 1_000,
  /** Time for the closing handshake of a client. */
  goodbye: 1_000,
  /** Requests under way are cut off so long after the beginning, but have so long at least. */
  requestsUntil: 5_000,
  requestsAtLeast: 1_000,
  /** The end of the lease waits so long for a database that does not answer. */
  lease: 1_000,
  /** And the end of the pool for a question that nobody waits for any more. */
  pool: 500,
};
