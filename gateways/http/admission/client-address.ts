import { isIP, isIPv6 } from 'node:net';

/** Unreadable addresses count as one client. */
const UNREADABLE = 'unreadable';

const GROUPS = 8;
/** Groups of 16 bits in a /64, the least that one customer of a network gets. */
const NETWORK_GROUPS = 4;

/**
 * The address that requests are counted by. An IPv6 customer has at least 2^64 addresses, so a /64 counts as one; an
 * IPv4 address over an IPv6 socket counts as IPv4.
 *
 * @param ip as the socket or a trusted proxy says it; some proxies add the port. A socket that was reset before its
 *   request was read has none
 */
export function countedAddress(ip: string | undefined): string {
  const [plain = ''] = withoutPort((ip ?? '').trim()).split('%');
  if (!isIPv6(plain)) return isIP(plain) === 0 ? UNREADABLE : plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Removes the port of `192.0.2.7:443` and `[2001:db8::1]:443`; an IPv6 address without brackets has none. */
function withoutPort(text: string): string {
  return /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

function groupsOf(ip: string): number[] {
  const [head = '', tail] = ip.split('::');
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...Array.from({ length: GROUPS - left.length - right.length }, () => 0), ...right];
}

/** An IPv4 address in the last group counts as two groups. */
function numbers(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
