/** Members shown in another place, or useless on a terminal. */
const NOT_SHOWN = new Set(['level', 'time', 'pid', 'name', 'logger', 'msg', 'err']);
const MAX_VALUE_LENGTH = 200;

/**
 * A log line for a terminal: time, level, part, message, members, and the message of an error without its stack. Other
 * text stays as it is.
 */
export function terminalLine(line: string): string {
  const fields = fieldsOf(line);
  if (!fields) return line;
  const { time, level, logger, msg, err } = fields;
  const members = Object.entries(fields)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .map(([name, value]) => `${name}=${shown(value)}`);
  const parts = [
    typeof time === 'string' ? time.slice('2026-01-01T'.length, -1) : '',
    String(level).toUpperCase().padEnd(5),
    ...(typeof logger === 'string' ? [`[${logger}]`] : []),
    ...(typeof msg === 'string' ? [msg] : []),
    ...members,
    ...(err === undefined ? [] : [messageOf(err)]),
  ];
  return `${parts.join(' ')}\n`;
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  const known = typeof error === 'object' && error !== null && 'message' in error;
  return `(${shown(known ? error.message : error)})`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}...` : text;
}
