/** A moment that all nodes see: what tells it from others, and how long ago it was by the database's real time. */
export type SeenMoment = { readonly mark: string; readonly ageMs: number };

/** How a repeated job is doing in the whole installation. */
export type StoredRound = {
  /** Its last run that went through. */
  readonly completed?: SeenMoment;
  /** When a run last got on. */
  readonly advanced?: SeenMoment;
  /** When the job queue last brought it. */
  readonly delivered?: SeenMoment;
};

/** What is noted of a run, all of it as of now. */
export type RoundNote = { completed?: boolean; advanced?: boolean; delivered?: boolean };

/** What the nodes of an installation tell each other about repeated jobs, beside the job queue. */
export interface JobRounds {
  /** By the name of the job; those that nobody has noted anything of are absent. */
  all(): Promise<ReadonlyMap<string, StoredRound>>;
  /** @returns the round as it is noted now */
  note(name: string, what: RoundNote): Promise<StoredRound>;
  /**
   * Takes an overdue round, so that one node alone runs it.
   * @param forMs how long nobody else may take it; a node that dies or hangs does not keep it for longer
   * @returns whether it is this node's to run
   */
  claim(name: string, forMs: number): Promise<boolean>;
}
