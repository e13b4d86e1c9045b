import type { Day } from '../../kernel/rules/dates.ts';
import type { NoteId, PropertyId, ReservationId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/**
 * A note of staff: about a stay, or to the next shift of a property (docs/reference/desk.md#notes). Guests never see it.
 */
export type DeskNote = {
  noteId: NoteId;
  propertyId: PropertyId;
  /** Absent in a shift note. */
  reservationId?: ReservationId;
  /** Business date on which it was written. */
  businessDate: Day;
  text: string;
  by: string;
  at: Instant;
  /** Who has done what a shift note says, and when. */
  done?: { by: string; at: Instant };
};

export const MAX_NOTE_CHARACTERS = 1_000;

/** Notes of one stay. */
export const MAX_NOTES_OF_STAY = 100;

/** Shift notes of a property that are not done. */
export const MAX_OPEN_SHIFT_NOTES = 200;
