import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** Groups of 16 bits that make a /64: what one customer of a network is given at least. */
const NETWORK_GROUPS = 4;

/**
 * The address that requests are counted by. An IPv6 customer has at least 2^64 addresses, so all of a /64 count as one;
 * an IPv4 address that came over an IPv6 socket counts as what it is.
 *
 * @param ip as the socket or a trusted proxy says it
 */
export function countedAddress(ip: string): string {
  const [plain = ''] = ip.split('%');
  if (!isIPv6(plain)) return plain;
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

function groupsOf(ip: string): number[] {
  const [head = '', tail] = ip.split('::');
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...Array.from({ length: GROUPS - left.length - right.length }, () => 0), ...right];
}

/** The last group may be an IPv4 address, which counts as two. */
function numbers(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
