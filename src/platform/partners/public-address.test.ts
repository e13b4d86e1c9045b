import t from 'tap';

import { isPublicAddress } from './public-address.ts';

t.test('addresses of the public internet', async (t) => {
  for (const address of ['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])
    t.ok(isPublicAddress(address), address);
});

t.test('own machines and networks, metadata, and addresses within addresses are none', async (t) => {
  const some = `
    0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1
    172.31.255.255 192.168.1.1 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 ::
    ::1 fe80::1 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2001::1
    ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1 localhost 127.1
    0x7f000001 2130706433 [::1]`;
  for (const address of ['', ...some.trim().split(/\s+/)]) t.notOk(isPublicAddress(address), address);
});
