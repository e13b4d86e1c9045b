import { MODES } from './grid/cell-face.ts';
import { modeNames, modesLegend } from './messages.ts';
import type { RevenueStore } from './revenue/store.ts';

/** What the cells of the grid show. */
export function ModeSwitch({ desk }: { desk: RevenueStore }) {
  // What is recommended is for those who may take it over.
  const modes = MODES.filter((mode) => mode !== 'recommended' || desk.expectsAmounts);
  return (
    <fieldset class="modes">
      <legend class="visually-hidden">{modesLegend}</legend>
      {modes.map((mode) => (
        <label key={mode}>
          <input
            type="radio"
            name="mode"
            value={mode}
            checked={desk.mode.value === mode}
            onChange={() => (desk.mode.value = mode)}
          />
          <span>{modeNames[mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}
