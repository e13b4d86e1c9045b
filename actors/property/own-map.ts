/**
 * A map of records with another value of one of them, or without it. The map of the base is shared, so the first change
 * makes a copy.
 */
export function withRecord<K, V>(records: Map<K, V>, base: ReadonlyMap<K, V>, id: K, value: V | false): Map<K, V> {
  const own = records === base ? new Map(records) : records;
  if (value === false) own.delete(id);
  else own.set(id, value);
  return own;
}
