import t from 'tap';

import { AllowedMethods } from './allowed-methods.ts';

void t.test(
  'a path has the methods of its own route, and not those of a route that takes any name there',
  async (t) => {
    const methods = new AllowedMethods();
    methods.add('/stays', ['GET', 'HEAD']);
    methods.add('/stays', 'POST');
    methods.add('/stays/:id', ['DELETE', 'PUT']);
    methods.add('/stays/groups', 'POST');
    methods.add('/stays/groups/:id', 'GET');
    methods.add('/*', 'OPTIONS');
    t.same(methods.of('/stays'), ['GET', 'HEAD', 'POST']);
    t.same(methods.of('/stays/17'), ['DELETE', 'PUT']);
    t.same(methods.of('/stays/groups'), ['POST']);
    t.same(methods.of('/stays/groups/17'), ['GET']);
    t.same(methods.of('/nights'), []);
  },
);
