import { frame as words } from '../access/messages.ts';
import type { RevenueStore } from '../revenue/store.ts';
import { needsAnswer } from '../service-button.tsx';

/** Selection of the property, in both workspaces. */
export function PropertyPicker({
  desk,
}: {
  desk: Pick<RevenueStore, 'connection' | 'property' | 'properties' | 'choose'>;
}) {
  return (
    <label class="picker">
      <span class="visually-hidden">{words.property}</span>
      <select
        value={desk.property.value?.propertyId ?? ''}
        {...needsAnswer(desk, { disabled: desk.properties.value.length === 0 })}
        onChange={(event) => desk.choose(event.currentTarget.value)}
      >
        {desk.properties.value.length === 0 && <option value="">…</option>}
        {desk.properties.value.map(({ propertyId, name }) => (
          <option key={propertyId} value={propertyId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
