/** Why the service ended by itself (docs/operations/process.md#exit-codes). */
export const exitCodes = {
  /** A start that failed for what a person has to mend, such as a wrong setting. */
  failed: 1,
  /** A listener accepted no connection any more: a supervisor should restart. */
  listenerDead: 70,
  /** The database cannot be reached yet, or the disk is full: the same start may succeed later. */
  databaseAway: 75,
};
