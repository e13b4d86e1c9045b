/** Texts of the key list dialog. */

export type KeyLine = { keys: readonly string[]; does: string };

export const keysDialog = {
  button: 'Keys and appearance',
  title: 'Keys',
  close: 'Close',
  single: 'Single keys do something outside of fields',
  theme: 'Appearance',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  everywhere: 'Everywhere',
  or: 'or',
};

/** Keys that work on every workspace. */
export const EVERYWHERE: readonly KeyLine[] = [
  { keys: ['?'], does: 'This list' },
  { keys: ['Tab', 'Shift Tab'], does: 'To the next and the previous control' },
  { keys: ['Esc'], does: 'Closes a dialog or a hint' },
];

export const REVENUE_KEYS: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'The nights',
    lines: [
      { keys: ['← ↑ → ↓'], does: 'From cell to cell' },
      { keys: ['Page Up', 'Page Down'], does: 'A week back and on' },
      { keys: ['Home', 'End'], does: 'The first and the last night' },
      { keys: ['Enter'], does: 'Shows the night in detail' },
      { keys: ['Shift ←', 'Shift ↓'], does: 'Chooses more nights, for rates and restrictions' },
      { keys: ['z'], does: 'Undoes the last change of rates or restrictions' },
    ],
  },
  {
    title: 'Time',
    lines: [
      { keys: ['p'], does: 'Pauses, and goes on' },
      { keys: ['t'], does: 'Time travel' },
      { keys: ['l'], does: 'Back to live' },
      { keys: ['←', '→'], does: 'On the slider: a minute back and on' },
      { keys: ['Shift ←', 'Shift →'], does: 'On the slider: an hour' },
      { keys: ['Page Down', 'Page Up'], does: 'On the slider: a day' },
    ],
  },
  { title: 'Properties', lines: [{ keys: ['f'], does: 'All properties' }] },
];
