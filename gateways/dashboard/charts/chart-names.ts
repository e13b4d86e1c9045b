import { parameter, writeParameters } from '../address.ts';

export const CHARTS = ['nights', 'curve', 'pickup', 'mix', 'competitors'] as const;
export type ChartName = (typeof CHARTS)[number];

/** Charts without amounts and without figures of managers. */
export const CHARTS_OF_ALL = ['nights'] as const satisfies readonly ChartName[];

/** Choice within a chart that the address names; the first where it names none of them. */
export const choiceOf = <T extends string>(name: string, choices: readonly T[]): T =>
  choices.find((one) => one === parameter(name)) ?? choices[0]!;

export const chooseInChart = (name: string, choice: string): void => writeParameters({ [name]: choice }, 'replace');
