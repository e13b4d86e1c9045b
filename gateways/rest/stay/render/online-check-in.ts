import type { onlineCheckInField } from '../../../../src/stay/contracts/stay-pages.ts';
import type { OnlineCheckIn } from '../../../../src/stay/rules/online-check-in.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A check-in online, for the desk and in the export of its guest. */
export function renderOnlineCheckIn({
  arrivalTime,
  signedName,
  signedAt,
}: OnlineCheckIn): AnswerOf<typeof onlineCheckInField> {
  return { arrivalTime, signedName, signedAt };
}
