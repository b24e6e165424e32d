import { expect, test } from 'bun:test'
import { toJunitXml } from '../../cli/smoke/junit'

test('a JUnit report has a suite for each flow, with seconds, reasons and failures', async () => {
  const xml = await toJunitXml([
    { flow: 1, step: 'health', title: 'see the server ready', status: 'passed', ms: 1_234 },
    {
      flow: 1,
      step: 'tenant',
      title: 'create a tenant',
      status: 'skipped',
      ms: 0,
      reason: 'needs <a>\u0007',
    },
    {
      flow: 2,
      step: 'kyc',
      title: 'verify the identity',
      status: 'failed',
      ms: 56,
      error: { code: 'FORBIDDEN', message: 'No "way"\u0001', request_id: 'r1' },
    },
  ])

  expect(
    xml
      .trim()
      .split('\n')
      .map(line => line.trim()),
  ).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="kiraya smoke" tests="3" failures="1" skipped="1" time="1.290">',
    '<testsuite name="flow 1" tests="2" failures="0" skipped="1" time="1.234">',
    '<testcase name="see the server ready" classname="smoke.1.health" time="1.234"/>',
    '<testcase name="create a tenant" classname="smoke.1.tenant" time="0.000">',
    '<skipped message="needs &lt;a&gt; "/>',
    '</testcase>',
    '</testsuite>',
    '<testsuite name="flow 2" tests="1" failures="1" skipped="0" time="0.056">',
    '<testcase name="verify the identity" classname="smoke.2.kyc" time="0.056">',
    '<failure type="FORBIDDEN" message="No &quot;way&quot; ">No &quot;way&quot;',
    'FORBIDDEN',
    'r1</failure>',
    '</testcase>',
    '</testsuite>',
    '</testsuites>',
  ])
})
