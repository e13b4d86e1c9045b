import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'tap';

import { countedAddress } from './client-address.ts';
import { clientOf, trustedBy } from './trusted-proxies.ts';

void test('addresses of one customer count as one', (t) => {
  const same: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['192.0.2.7:50123', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['[2001:db8::1]:50123', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['', 'unreadable'],
    ['somebody', 'unreadable'],
    ['192.0.2.7:x', 'unreadable'],
  ];
  for (const [ip, counted] of same) t.equal(countedAddress(ip), counted, ip);
  t.not(countedAddress('2001:db8:1:2::1'), countedAddress('2001:db8:1:3::1'));
  t.end();
});

void test('a socket that was reset before its request was read has an address to count by', (t) => {
  const reset = new IncomingMessage(new Socket());
  t.equal(reset.socket.remoteAddress, undefined);
  for (const setting of [undefined, 1, ['10.0.0.0/8']]) t.equal(clientOf(trustedBy(setting))(reset), 'unreadable');
  t.end();
});
