import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-sandbox');

/** Texts of the copy of a property with invented guests. */
export const sandbox = {
  title: say('Try it out'),
  lead: say(
    'A copy of this property with a year of invented guests shows revenue, desk and forecasts before the first guest is there. No mail, no payment and no channel knows of it, and this property stays as it is.',
  ),
  begin: say('Try it with a year of invented guests'),
  end: say('Throw them away'),
  copyName: (property: string): string => say('{property} (invented guests)', { property }),
  playing: (percent: number): string => say('The year is being invented: {percent} %.', { percent }),
  ready: say('The copy with invented guests is there.'),
  ending: say('The copy is being removed.'),
  stopped: say('It was interrupted. Try it again, or throw away what is left.'),
  isOne: say('The guests of this property are invented. They are thrown away where the copy was made.'),
  revenue: say('Revenue with invented guests'),
  desk: say('Front desk with invented guests'),
};
