import { noServiceReason } from '../access/messages.ts';
import { network } from '../live/network.ts';
import type { AdminStore } from './admin.ts';
import { CopyButton } from './form/copy-button.tsx';
import { form as formWords } from './form/messages.ts';
import { admin as words } from './messages.ts';
import type { Form, ListOf, LoadedList, Section } from './section.ts';

type Props = { admin: AdminStore; name: string; section: Section };

/** Rows drawn at most: nobody reads more, and typing finds the others. */
const MAX_SHOWN = 200;

/** The list of a section: its forms, what was done last, and the rows that have the typed words. */
export function SectionList({ admin, name, section }: Props) {
  const list = section.list!;
  const loaded = admin.loaded.value;
  const found = loaded && rowsWith(list, loaded, admin.query.value);
  return (
    <>
      <header class="admin-head">
        <h1 id="admin-title">{name}</h1>
        <div class="verbs">
          {list.forms
            .filter((form) => form.of === 'list')
            .map((form, index) => (
              <OpenForm key={form.id} admin={admin} form={form} isFirst={index === 0} />
            ))}
        </div>
      </header>
      <p class="muted">{section.lead}</p>
      {loaded?.note !== undefined && <p>{loaded.note}</p>}
      {loaded?.links && (
        <ul class="admin-links">
          {loaded.links.map(({ text, href }) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
      {loaded?.copied && <CopyButton name={loaded.copied.name} text={() => loaded.copied!.text} />}
      <UndoableChange admin={admin} />
      {loaded && loaded.rows.length > 8 && <Search admin={admin} />}
      {found === undefined ? (
        <p role="status" class="muted">
          {admin.trouble.value === undefined && words.loading}
        </p>
      ) : (
        <Rows admin={admin} name={name} section={section} rows={found} loaded={loaded!} />
      )}
    </>
  );
}

function rowsWith(list: ListOf<object>, { rows }: LoadedList<object>, query: string): readonly object[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => list.columns.some((column) => column.text(row).toLowerCase().includes(wanted)));
}

function OpenForm({ admin, form, isFirst }: { admin: AdminStore; form: Form<object>; isFirst: boolean }) {
  const isOpen = admin.form.value?.of === form;
  return (
    <button
      type="button"
      class={isFirst ? 'primary' : undefined}
      aria-expanded={isOpen}
      onClick={() => admin.openForm(isOpen ? undefined : form.id)}
    >
      {form.name}
    </button>
  );
}

/** What was done last, and the way back for ten seconds. */
export function UndoableChange({ admin }: { admin: AdminStore }) {
  const reason = noServiceReason(network.value);
  const once = admin.shownOnce.value;
  return (
    <div class="admin-done">
      <span role="status">{admin.done.value}</span>
      {admin.undo.value !== undefined && (
        <button
          type="button"
          disabled={admin.undoing.value || reason !== undefined}
          title={reason}
          onClick={() => void admin.takeBack()}
        >
          {formWords.undo}
        </button>
      )}
      {once && <code>{once.text}</code>}
      {once && <CopyButton name={once.name} text={() => once.text} />}
    </div>
  );
}

function Search({ admin }: { admin: AdminStore }) {
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span class="visually-hidden">{words.search}</span>
        <input
          type="search"
          value={admin.query.value}
          placeholder={words.search}
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => admin.search(event.currentTarget.value)}
        />
      </label>
    </form>
  );
}

type RowsProps = Props & { rows: readonly object[]; loaded: LoadedList<object> };

function Rows({ admin, name, section, rows, loaded }: RowsProps) {
  const list = section.list!;
  const shown = rows.slice(0, MAX_SHOWN);
  const forms = list.forms.filter((form) => form.of === 'row');
  if (rows.length === 0) return <p role="status">{loaded.rows.length === 0 ? list.none : words.notFound}</p>;
  return (
    <>
      <div class="admin-table" tabIndex={0} role="region" aria-label={words.list(name)}>
        <table>
          <thead>
            <tr>
              {list.columns.map(({ label, isAmount }) => (
                <th key={label} scope="col" class={isAmount ? 'amount' : undefined}>
                  {label}
                </th>
              ))}
              {forms.length > 0 && (
                <th scope="col">
                  <span class="visually-hidden">{words.actions}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={list.key(row)} admin={admin} list={list} row={row} forms={forms} />
            ))}
          </tbody>
        </table>
      </div>
      {(shown.length < rows.length || loaded.isCut === true) && <p class="muted">{words.cut(shown.length)}</p>}
    </>
  );
}

type RowProps = { admin: AdminStore; list: ListOf<object>; row: object; forms: readonly Form<object>[] };

function Row({ admin, list, row, forms }: RowProps) {
  const key = list.key(row);
  const [first, ...others] = list.columns;
  const name = first!.text(row);
  const open = admin.form.value;
  const isOpen = open?.row !== undefined && list.key(open.row) === key;
  return (
    <tr data-open={isOpen || undefined}>
      <th scope="row">{name}</th>
      {others.map(({ label, text, isAmount }) => (
        <td key={label} class={isAmount ? 'amount' : undefined}>
          {text(row)}
        </td>
      ))}
      {forms.length > 0 && (
        <td class="admin-row-verbs">
          {forms
            .filter(({ isOffered }) => isOffered?.(row) !== false)
            .map((form) => (
              <button
                key={form.id}
                type="button"
                aria-expanded={isOpen && open.of === form}
                aria-label={`${form.name}: ${name}`}
                onClick={() => admin.openForm(isOpen && open.of === form ? undefined : form.id, key)}
              >
                {form.name}
              </button>
            ))}
        </td>
      )}
    </tr>
  );
}
