import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import type { Decision } from '../decision.ts';
import type { Draft } from '../draft.ts';

/** Records that somebody wrote, completed or removed a note; the state of the property does not change. */
export function decideRecordNote(
  _draft: Draft,
  { noteId, ofStay: reservationId, what }: CommandOf<'RECORD_NOTE'>,
): Decision<'RECORD_NOTE'> {
  const after = { what, ...(reservationId !== undefined && { reservationId }) };
  return {
    result: { noteId },
    entity: reservationId ?? noteId,
    facts: { setup: [{ kind: 'note', id: noteId, before: null, after }] },
  };
}
