import {
  type ActorTable,
  type Column,
  isOnce,
  nameOf,
  sqlName,
  stays,
  typeOf,
} from '../../platform/database/tables/table.ts';
import {
  columnsOf,
  COMMIT_FUNCTION,
  COMMIT_VERSION,
  type List,
  ROW_LISTS,
  type RowList,
  LISTS,
  SUBJECTS,
} from './lists.ts';

const WIDTH = 118;
const RESERVED = new Set(['from', 'to']);
const field = (name: string): string => (/[A-Z]/.test(name) || RESERVED.has(name) ? `"${name}"` : name);

/** Comma-separated items; those that do not fit in the first line continue below, indented by two. */
function wrapped(before: string, items: readonly string[], after = ''): string {
  const below = `  ${/^ */.exec(before)![0]}`;
  const lines = [before];
  for (const [n, item] of items.entries()) {
    const piece = n < items.length - 1 ? `${item},` : `${item}${after}`;
    const line = lines.at(-1)!;
    const gap = n === 0 ? '' : ' ';
    if (line.length + gap.length + piece.length > WIDTH) lines.push(`${below}${piece}`);
    else lines[lines.length - 1] = `${line}${gap}${piece}`;
  }
  return `${lines.join('\n')}\n`;
}

const recordOf = (list: List): string[] =>
  Object.entries(columnsOf(list)).map(([name, column]) => `${field(name)} ${typeOf(column)}`);

function statementOf(name: string, list: List): string {
  const { table } = list;
  const rows = (before: string): string =>
    wrapped(`${before} json_to_recordset(${sqlName(name)}) as r (`, recordOf(list), ')');
  if (list.write === 'by hand') throw new Error(`the statement of ${name} is written by hand`);
  if (list.write === 'delete') {
    const same = Object.keys(columnsOf(list)).map((one) => `d.${nameOf(table, one)} = r.${field(one)}`);
    return `    delete from ${table.name} as d\n${rows('    using')}    where ${same.join('\n      and ')}`;
  }
  const computed = Object.entries(table.computed ?? {});
  const names = [...Object.keys(table.columns).map((one) => nameOf(table, one)), ...computed.map(([one]) => one)];
  const values = ['r.*', ...computed.map(([, [, sql]]) => sql)];
  const order = list.order ? `    order by ${list.order.map((one) => `r.${field(one)}`).join(', ')}\n` : '';
  const conflict = list.write === 'upsert' ? conflictOf(table) : '';
  const select =
    computed.length === 0 ? rows('    select r.* from') : `${wrapped('    select ', values)}${rows('    from')}`;
  return `${wrapped(`    insert into ${table.name} (`, names, ')')}${select}${order}${conflict}`;
}

/** Key and property of a row never change. */
function conflictOf({ key, columns, computed, ...table }: ActorTable): string {
  const fixed = new Set([...key, 'p']);
  const changed = [
    ...Object.entries(columns).flatMap(([name, column]) =>
      isOnce(column) || fixed.has(name) ? [] : [assigned(nameOf(table, name), column, table.name)],
    ),
    ...Object.entries(computed ?? {}).flatMap(([name, [column]]) =>
      isOnce(column) ? [] : [assigned(name, column, table.name)],
    ),
  ];
  const names = key.map((name) => nameOf(table, name));
  return `    on conflict (${names.join(', ')}) do update\n${wrapped('      set ', changed)}`;
}

function assigned(name: string, column: Column, table: string): string {
  return stays(column) ? `${name} = coalesce(excluded.${name}, ${table}.${name})` : `${name} = excluded.${name}`;
}

/** Statement that writes a list, and raises when it did not write all rows. */
function listSql(name: RowList): string {
  if (!Object.hasOwn(LISTS, name)) throw new Error(`lists.ts has no list ${name}, which a statement is marked with`);
  const list = LISTS[name];
  const check = `    get diagnostics changed = row_count;
    if changed is distinct from (counts ->> '${name}')::int then
      perform system.raise_fewer_${COMMIT_VERSION}(changed, counts, '${name}');
    end if;
`;
  const after = 'mayBeFewer' in list ? `    -- May be fewer: ${list.mayBeFewer}.\n` : check;
  return `  if ${sqlName(name)} is not null then\n${statementOf(name, list).trimEnd()};\n${after}  end if;\n`;
}

type Subject = keyof typeof SUBJECTS;
const listsOf = (subject: Subject): string[] => Object.keys(SUBJECTS[subject]).map(sqlName);
const writerOf = (subject: Subject): string => `system.write_${subject.replace('-', '_')}_${COMMIT_VERSION}`;

const PARTS: Readonly<Record<string, (of: string) => string>> = {
  list: (names) =>
    names
      .split(' ')
      .map((name) => listSql(name as RowList))
      .join('\n'),
  function: (subject) => `${wrapped(
    `create or replace function ${writerOf(subject as Subject)}(`,
    ['counts jsonb', ...listsOf(subject as Subject).map((name) => `${name} json`)],
    ')',
  )}  returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  changed int;
`,
  call: (subject) => {
    const lists = listsOf(subject as Subject);
    const call = wrapped(`    perform ${writerOf(subject as Subject)}(`, ['counts', ...lists], ');');
    return `${wrapped('  if num_nonnulls(', lists, ') > 0 then')}${call}  end if;\n`;
  },
  commit: () =>
    `${wrapped(
      `create or replace function public.${COMMIT_FUNCTION}(`,
      ['tenants text', 'counts jsonb', ...ROW_LISTS.map((name) => `${sqlName(name)} json`)],
      ')',
    )}  returns jsonb\n`,
  fewer: () => `create or replace function system.raise_fewer_${COMMIT_VERSION}(changed int, counts jsonb, what text)
  returns void
  language plpgsql
as $$
begin
  raise exception '% of % rows of % were written', changed, counts ->> what, what using errcode = 'IK004';
end
$$;
`,
  grant: () =>
    wrapped(
      `grant execute on function public.${COMMIT_FUNCTION}(`,
      ['text', 'jsonb', ...ROW_LISTS.map(() => 'json')],
      ') to innkeeper_app;',
    ),
};

const GENERATED = /^( *-- generated: ([\w-]+) ?(.*)\n)[\s\S]*?^( *-- end of generated\n)/gm;

/**
 * Fills the generated parts of a file of the commit function from the current table descriptions.
 * @throws Error for the name of a part that cannot be generated
 */
export function withGenerated(text: string): string {
  return text.replaceAll(GENERATED, (_, begin: string, part: string, of: string, end: string) => {
    const generate = PARTS[part];
    if (!generate) throw new Error(`nothing generates ${part}`);
    return `${begin}${generate(of)}${end}`;
  });
}
