import type { StaySurvey } from '../domain/stay-survey.ts';

/** Answers of guests about their stays. */
export interface StaySurveys {
  /**
   * Keeps the first answer about a stay that is over and whose guest was not forgotten.
   *
   * @returns whether it was kept
   */
  keep(tenantId: string, reservationId: string, survey: Pick<StaySurvey, 'rating' | 'comment'>): Promise<boolean>;
  of(tenantId: string, reservationId: string): Promise<StaySurvey | undefined>;
  /** All that a guest has said, by reservation. */
  ofGuest(tenantId: string, guestId: string): Promise<ReadonlyMap<string, StaySurvey>>;
}
