import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError for anything but a number from 0 on */
export function numberOption(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('a number');
  return Number(text);
}

/** A count of which none would be a run of nothing, where nothing goes wrong. @throws InvalidArgumentError */
export function countOption(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('a whole number, 1 or more');
  return Number(text);
}
