/**
 * JSON with sorted keys and without undefined members. Written piece by piece for speed: every booking has two rows.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let items = '';
    for (let n = 0; n < value.length; n++) items += n === 0 ? canonical(value[n]) : `,${canonical(value[n])}`;
    return `[${items}]`;
  }
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}
