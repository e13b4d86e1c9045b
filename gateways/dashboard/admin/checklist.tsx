import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { pageUrl } from '../address.ts';
import { lazily } from '../shell/lazy.tsx';
import { ADMIN_PATH, type AdminStore } from './admin.ts';
import { type Check, checksOf } from './checks.ts';
import { admin as words } from './messages.ts';

const SandboxPanel = lazily(async () => (await import('./sandbox/sandbox-panel.tsx')).SandboxPanel);

/** What is not set up yet at the chosen property, each with the way there. */
export function Checklist({ admin }: { admin: AdminStore }) {
  const checks = useSignal<readonly Check[] | undefined>(undefined);
  const property = admin.property.value;
  const isListed = admin.isListed.value;
  useEffect(() => {
    if (!isListed) return;
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const found = await look(admin);
      if (isCurrent) checks.value = found;
    };
    void show();
    return () => (isCurrent = false);
  }, [property, isListed]);
  const missing = checks.value?.filter(({ state }) => state === 'missing') ?? [];
  return (
    <section class="admin-content" aria-labelledby="admin-title">
      <header class="admin-head">
        <h1 id="admin-title">{property ? words.checklist.title(property.name) : words.setUp}</h1>
        <div class="verbs">
          <a href={`${ADMIN_PATH}/first-hotel`}>{words.checklist.firstHotel}</a>
          <a href={pageUrl(`${ADMIN_PATH}/properties`, { form: 'new' })}>{words.checklist.newProperty}</a>
        </div>
      </header>
      <p role="status">
        {checks.value === undefined ? words.loading : summaryOf(missing.length, property !== undefined)}
      </p>
      <ul class="admin-checks">
        {checks.value?.map(({ id, name, state, text, section, form, item }) => (
          <li key={id} data-state={state}>
            <b>{words.checklist[state]}</b>
            <span>
              <a href={pageUrl(`${ADMIN_PATH}/${section}`, { property: property?.propertyId, form, item })}>{name}</a>
              : {text}
            </span>
          </li>
        ))}
      </ul>
      {property && <SandboxPanel key={property.propertyId} property={property} of={admin} />}
    </section>
  );
}

async function look(admin: AdminStore): Promise<readonly Check[]> {
  await admin.fresh();
  return checksOf(admin.place(), new Set(admin.sections.peek().map(({ id }) => id)));
}

function summaryOf(missing: number, hasProperty: boolean): string {
  if (!hasProperty) return words.noProperty;
  return missing === 0 ? words.checklist.complete : words.checklist.open(missing);
}
