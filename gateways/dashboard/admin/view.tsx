import { useEffect } from 'preact/hooks';

import { signedInRole } from '../access/roles.ts';
import { pageUrl } from '../address.ts';
import { AppBar, Who } from '../app-bar.tsx';
import { TroubleNotice } from '../notice.tsx';
import { PropertyPicker } from '../properties/property-picker.tsx';
import { NotLoaded } from '../shell/lazy.tsx';
import { WorkspaceSwitch } from '../workspace-switch.tsx';
import { ADMIN_PATH, type AdminStore } from './admin.ts';
import { Checklist } from './checklist.tsx';
import { FormPanel } from './form/form-view.tsx';
import { SectionList } from './list-view.tsx';
import { admin as words } from './messages.ts';
import { SECTIONS } from './sections.ts';

type Props = { admin: AdminStore };

/** The administration: sections at the side, the list of one, and a form beside it. */
export function AdminView({ admin, onSignOut }: Props & { onSignOut: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && admin.form.peek()) admin.openForm(undefined);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [admin]);
  const trouble = admin.trouble.value;
  const form = admin.form.value;
  return (
    <>
      <AppBar>
        <PropertyPicker desk={admin} />
        <WorkspaceSwitch here="admin" />
        <span class="connection-space" />
        <Who tenantId={admin.user.tenantId} role={signedInRole.value} onSignOut={onSignOut} />
      </AppBar>
      <TroubleNotice trouble={trouble} onSignOut={onSignOut} />
      <main class="admin" data-form={form?.of.id}>
        <Sections admin={admin} />
        <Content admin={admin} />
        {form && <FormPanel key={`${form.of.id} ${JSON.stringify(form.row)}`} form={form} />}
      </main>
    </>
  );
}

function Sections({ admin }: Props) {
  const here = admin.sectionId.value;
  const property = admin.property.value?.propertyId;
  return (
    <nav class="admin-sections" aria-label={words.sections}>
      <a href={pageUrl(ADMIN_PATH, { property })} aria-current={here === undefined ? 'page' : undefined}>
        {words.setUp}
      </a>
      {admin.sections.value.map(({ id, name }) => (
        <a
          key={id}
          href={pageUrl(`${ADMIN_PATH}/${id}`, { property })}
          aria-current={here === id ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Content({ admin }: Props) {
  const entry = admin.entry.value;
  const section = admin.section.value;
  if (admin.sectionId.value === undefined) return <Checklist admin={admin} />;
  if (!entry) return <NoSection admin={admin} />;
  const isWithout = entry.of === 'property' && admin.isListed.value && admin.property.value === undefined;
  return (
    <section class="admin-content" aria-labelledby="admin-title">
      {isWithout ? (
        <>
          <h1 id="admin-title">{entry.name}</h1>
          <p>{words.noProperty}</p>
        </>
      ) : section === undefined ? (
        <>
          <h1 id="admin-title">{entry.name}</h1>
          {admin.isWithoutCode.value ? (
            <NotLoaded />
          ) : (
            <p role="status" class="muted">
              {words.loading}
            </p>
          )}
        </>
      ) : section.View ? (
        <>
          <h1 id="admin-title">{entry.name}</h1>
          <p class="muted">{section.lead}</p>
          <section.View key={entry.id} admin={admin} />
        </>
      ) : (
        <SectionList key={entry.id} admin={admin} name={entry.name} section={section} />
      )}
    </section>
  );
}

/** An address without a section, or with one for another role. */
function NoSection({ admin }: Props) {
  const known = SECTIONS.find(({ id }) => id === admin.sectionId.value);
  return (
    <section class="admin-content" aria-labelledby="admin-title">
      <h1 id="admin-title">{known?.name ?? words.noSection}</h1>
      {known && <p>{words.askOwner(known.least ?? 'ADMIN')}</p>}
    </section>
  );
}
