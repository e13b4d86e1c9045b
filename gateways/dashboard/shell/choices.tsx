import type { ReadonlySignal } from '@preact/signals';

type ChoicesProps<T extends string> = {
  name: string;
  title: string;
  of: readonly T[];
  shown: ReadonlySignal<T>;
  words: Record<T, string>;
  onChoose: (chosen: T) => void;
  /** Why nothing can be chosen now. */
  blocked?: string | undefined;
};

/** A few values, one of which holds. */
export function Choices<T extends string>({ name, title, of, shown, words, onChoose, blocked }: ChoicesProps<T>) {
  return (
    <fieldset class="appearance" disabled={blocked !== undefined} title={blocked}>
      <legend>{title}</legend>
      <div class="modes">
        {of.map((one) => (
          <label key={one}>
            <input type="radio" name={name} checked={shown.value === one} onChange={() => onChoose(one)} />
            <span>{words[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
