import { MODES } from './grid/cell-face.ts';
import { modeNames, modesLegend } from './messages.ts';
import type { RevenueStore } from './revenue/store.ts';

/** Switch of the grid's display mode. */
export function ModeSwitch({ desk }: { desk: RevenueStore }) {
  // Recommendations are shown to users who may accept them.
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
