import { expect, spyOn, test } from 'bun:test'
import { createCallSimulator, type ProviderCall } from '../../../server/sandbox/call-simulator'
import type { SimulatedFailures } from '../../../server/sandbox/simulated-failures'

const call: ProviderCall = {
  provider: 'ekyc',
  call: 'status',
  subjects: [],
  request: new Request('http://sandbox.test/'),
  toError: status => new Response('', { status }),
}

/** Answers a call under a rule whose waits are over at once; returns what they would have been, and the order. */
async function simulate(behaviour: string, delay_ms: number | null) {
  const steps: (string | number)[] = []
  const { setTimeout } = globalThis
  const skip = (work: () => void, ms = 0) => {
    steps.push(ms)
    return setTimeout(work, 0)
  }
  using _ = spyOn(globalThis, 'setTimeout').mockImplementation(skip as unknown as typeof setTimeout)
  const rules = { consume: async () => ({ behaviour, delay_ms }) } as unknown as SimulatedFailures
  await createCallSimulator(rules)(call, async () => {
    steps.push('answer')
    return new Response()
  })
  return steps
}

test.each<[behaviour: string, delayMs: number | null, steps: (string | number)[]]>([
  ['timeout', null, [120_000]],
  ['slow', null, [10_000, 'answer']],
  ['slow', 70, [70, 'answer']],
  ['lost', null, ['answer', 0]],
  ['lost', 70, ['answer', 70]],
])('%s with the delay %p: %j', async (behaviour, delayMs, steps) => {
  expect(await simulate(behaviour, delayMs)).toEqual(steps)
})
