import { LettersView } from '../letters/letters-view.tsx';
import { letters as words } from '../letters/messages.ts';
import type { Section } from '../section.ts';

/** Letters to guests (docs/reference/letters.md#own-texts). */
export const lettersSection: Section = {
  lead: words.lead,
  View: LettersView,
};
