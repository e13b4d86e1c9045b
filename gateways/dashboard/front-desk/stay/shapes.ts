import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { stayMessageAnswer } from '../../../../src/notifications/contracts/stay-messages.ts';
import type { compAnswer, undoCompAnswer } from '../../../../src/stay/contracts/comp.ts';
import type { shiftNoteAnswer, noteAnswer } from '../../../../src/stay/contracts/desk-notes.ts';
import type { deskTaskAnswer } from '../../../../src/stay/contracts/desk-tasks.ts';
import type * as answers from '../../../../src/stay/contracts/stay-answers.ts';
import type { reservationHistoryAnswer } from '../../../../src/stay/contracts/stay-documents.ts';
import type { stayPageAnswer } from '../../../../src/stay/contracts/stay-pages.ts';
import type { upgradeAnswer } from '../../../../src/stay/contracts/upgrade.ts';

/** A reservation as a read of it alone answers. */
export type WholeStay = WireOf<typeof answers.reservationAnswer>;

export type StayPageView = WireOf<typeof stayPageAnswer>;
export type Note = WireOf<typeof noteAnswer>;
export type ShiftNote = WireOf<typeof shiftNoteAnswer>;
export type StayMessage = WireOf<typeof stayMessageAnswer>;
export type HistoryItem = WireOf<typeof reservationHistoryAnswer>['items'][number];
export type DeskTaskView = WireOf<typeof deskTaskAnswer>;
/** A task of a reservation. */
export type StayTaskView = DeskTaskView & {
  [K in 'reservationId' | 'guestName' | 'checkIn' | 'roomType']: NonNullable<DeskTaskView[K]>;
};

/** What a verb answers, tried or done. */
export type VerbAnswers = {
  noShow: WireOf<typeof answers.cancellationAnswer>;
  undoCheckIn: WireOf<typeof answers.checkInUndoneAnswer>;
  reinstate: WireOf<typeof answers.createdAnswer>;
  waive: WireOf<typeof answers.waiverAnswer>;
  upgrade: WireOf<typeof upgradeAnswer>;
  comp: WireOf<typeof compAnswer>;
  undoComp: WireOf<typeof undoCompAnswer>;
};
export type VerbName = keyof VerbAnswers;
