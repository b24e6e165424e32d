import { expect, test } from 'bun:test'
import {
  toBlockPrefix,
  toNetworkPrefix,
  toSitePrefix,
  toSubscriberPrefix,
} from '../../../server/http/client-ip'

test.each([
  ['203.0.113.9', '203.0.113.9/32', '203.0.113.0/24', '203.0.113.0/24', '203.0.0.0/16'],
  ['::ffff:203.0.113.9', '203.0.113.9/32', '203.0.113.0/24', '203.0.113.0/24', '203.0.0.0/16'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32'],
  ['unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
])('the subscriber, network, site and block of %s', (address, subscriber, network, site, block) => {
  const prefixes = [toSubscriberPrefix, toNetworkPrefix, toSitePrefix, toBlockPrefix].map(map => map(address))
  // IPv6 may be written in full.
  const short = prefixes.map(prefix => prefix.replace(/(:0)+\//, '::/'))
  expect(short).toEqual([subscriber, network, site, block])
})
