/** States of work that outlives its request. */
export const JOB_STATES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type JobState = (typeof JOB_STATES)[number];
