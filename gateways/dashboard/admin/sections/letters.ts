import { LettersView } from '../letters/letters-view.tsx';
import { letters as words } from '../letters/messages.ts';
import type { Section } from '../section.ts';

/** Letters to guests (docs/reference/letters.md#own-texts). */
export const lettersSection: Section = {
  id: 'letters',
  name: words.name,
  lead: words.lead,
  of: 'property',
  View: LettersView,
};
