import { textsOf } from './language/texts.ts';

const say = textsOf('pages');

/** Texts of the key list dialog. */

export type KeyLine = { keys: readonly string[]; does: string };

export const keysDialog = {
  button: say('Keys and appearance'),
  title: say('Keys'),
  close: say('Close'),
  single: say('Single keys do something outside of fields'),
  theme: say('Appearance'),
  themes: { system: say('As the system'), light: say('Light'), dark: say('Dark') },
  language: say('Language'),
  density: say('Density'),
  densities: { comfortable: say('Comfortable'), compact: say('Compact') },
  everywhere: say('Everywhere'),
  or: 'or',
};

/** Keys that work on every workspace. */
export const EVERYWHERE: readonly KeyLine[] = [
  { keys: ['Ctrl K', '⌘ K'], does: say('Search or run a command') },
  { keys: ['?'], does: say('This list') },
  { keys: ['Tab', 'Shift Tab'], does: say('To the next and the previous control') },
  { keys: ['Esc'], does: say('Closes a dialog or a hint') },
];

export const REVENUE_KEYS: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: say('The nights'),
    lines: [
      { keys: ['← ↑ → ↓'], does: say('From cell to cell') },
      { keys: ['Page Up', 'Page Down'], does: say('A week back and on') },
      { keys: ['Home', 'End'], does: say('The first and the last night') },
      { keys: ['Enter'], does: say('Shows the night in detail') },
      { keys: ['Shift ←', 'Shift ↓'], does: say('Chooses more nights, for rates and restrictions') },
      { keys: ['z'], does: say('Undoes the last change of rates or restrictions') },
    ],
  },
  {
    title: say('Time'),
    lines: [
      { keys: ['p'], does: say('Pauses, and goes on') },
      { keys: ['t'], does: say('Time travel') },
      { keys: ['l'], does: say('Back to live') },
      { keys: ['←', '→'], does: say('On the slider: a minute back and on') },
      { keys: ['Shift ←', 'Shift →'], does: say('On the slider: an hour') },
      { keys: ['Page Down', 'Page Up'], does: say('On the slider: a day') },
    ],
  },
  { title: say('Properties'), lines: [{ keys: ['f'], does: say('All properties') }] },
];
