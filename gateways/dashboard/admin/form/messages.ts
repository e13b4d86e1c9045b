import { locale, textsOf } from '../../language/texts.ts';

const say = textsOf('admin');
const shownNumber = new Intl.NumberFormat(locale);

/** Texts of every form of the administration. */
export const form = {
  needed: say('This is needed.'),
  noNumber: say('This is no number.'),
  noWhole: say('Type a whole number.'),
  tooSmall: (min: number): string => say('At least {min}.', { min: shownNumber.format(min) }),
  tooLarge: (max: number): string => say('At most {max}.', { max: shownNumber.format(max) }),
  save: say('Save'),
  cancel: say('Cancel'),
  saved: say('Saved.'),
  undo: say('Undo'),
  undone: say('Undone.'),
  checkFields: say('Please check the marked fields.'),
  fixed: say('It is chosen when it is created.'),
  showCurl: say('Show curl'),
  curlLine: say('The same from a shell, with your access token in TOKEN:'),
  copy: say('Copy'),
  copied: say('Copied'),
  notCopied: say('The browser does not allow copying. Select the text instead.'),
  choose: say('Choose one'),
  none: say('None'),
  yes: say('yes'),
  no: say('no'),
  changedMeanwhile: say('Somebody changed this after you opened it. Their change stands unless you save again:'),
  wasRemoved: say('Somebody deleted this after you opened it.'),
  changedTo: (field: string, before: string, now: string): string =>
    say('{field}: {before} became {now}', {
      field,
      before: before === '' ? say('nothing') : before,
      now: now === '' ? say('nothing') : now,
    }),
  takeTheirs: say('Take their values'),
  saveMine: say('Save mine'),
  typeToConfirm: (text: string): string => say('Type {text} to confirm', { text }),
  progress: (done: number, all: number): string => say('{done} of {all}', { done, all }),
  stoppedAt: (done: number, all: number): string =>
    say('{done} of {all} were done before this one was refused:', { done, all }),
  delete: say('Delete'),
};
