import { expect, test } from 'bun:test'
import { createMetrics } from '../../../server/observability/metrics'

/** The upper bounds of a histogram's buckets, in seconds. */
function listBounds(text: string) {
  return [...text.matchAll(/\ble="([^"]+)"/g)].map(([, bound]) => Number(bound!.replace('+Inf', 'Infinity')))
}

test('requests and provider calls are counted in the same buckets, up to a minute', async () => {
  const { registry, requests, providerCalls } = createMetrics()
  requests.observe({ method: 'GET', route: '/x', status: '200' }, 0.002)
  providerCalls.observe({ provider: 'eKYC', outcome: 'failed' }, 45)

  const [ofRequests, ofCalls] = [
    await registry.getSingleMetricAsString('kiraya_http_request_seconds'),
    await registry.getSingleMetricAsString('kiraya_provider_call_seconds'),
  ]

  const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, Infinity]
  expect(listBounds(ofRequests)).toEqual(bounds)
  expect(listBounds(ofCalls)).toEqual(bounds)
  expect(ofCalls).toContain('{le="30",provider="eKYC",outcome="failed"} 0')
  expect(ofCalls).toContain('{le="60",provider="eKYC",outcome="failed"} 1')
})
