/** How work that outlives its request stands. */
export const JOB_STATES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type JobState = (typeof JOB_STATES)[number];
