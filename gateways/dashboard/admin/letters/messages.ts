import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin');
/** Texts of the section for letters. */
export const letters = {
  lead: say('What guests read in mails, in five languages. Details, terms and signature are added to every letter.'),
  letter: say('Letter'),
  languages: say('Languages'),
  ownMark: say('own text'),
  subject: say('Subject'),
  opening: say('Opening'),
  closing: say('Closing'),
  values: say('Insert a value'),
  insert: (name: string): string => say('Insert {value}', { value: `{${name}}` }),
  valuesLine: say('A value is filled in for each guest, at the place of the cursor.'),
  preview: say('Preview'),
  previewLine: say('To an invented guest, Alex Sample.'),
  previewSubject: (subject: string): string => say('Subject: {subject}', { subject }),
  notPreviewed: say('The preview shows the texts again once they can be used.'),
  save: say('Save'),
  reset: say('Back to the standard text'),
  standardLine: say('These are the standard texts.'),
  ownLine: say('These are your own texts. What you leave as it was stays the standard text.'),
  changedLine: (language: string): string =>
    say('Guests who read {language} get these texts from now on.', { language }),
  saved: (letter: string, language: string): string => say('{letter} in {language} is saved.', { letter, language }),
  isStandard: (letter: string, language: string): string =>
    say('{letter} in {language} is the standard text again.', { letter, language }),
};
