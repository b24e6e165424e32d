import { setImmediate as waitForTurn } from 'node:timers/promises'
import { expect, test } from 'bun:test'
import { createGiveWay, forEachGivingWay, giveWay } from '../../../server/domain/give-way'

test('what waits is served in the middle of a long work', async () => {
  let isServed = false
  setImmediate(() => (isServed = true))
  function* countUntilServed() {
    for (let n = 0; n < 100_000 && !isServed; n++) yield n
  }
  const done: number[] = []

  await forEachGivingWay(countUntilServed(), n => {
    JSON.stringify(Array(1000).fill(n))
    done.push(n)
  })

  expect(isServed).toBe(true)
  expect(done).toEqual(done.map((_, index) => index))
})

test('of several computations one goes on at a time', async () => {
  const steps: string[] = []
  const compute = async (name: string) => {
    for (let step = 0; step < 3; step++) {
      await giveWay()
      steps.push(name)
    }
  }
  const serve = async () => {
    for (let request = 0; request < 6; request++) {
      await waitForTurn()
      steps.push('request')
    }
  }

  await Promise.all([compute('schedule'), compute('receipt'), serve()])

  expect(steps.join(' ')).not.toMatch(/schedule receipt|receipt schedule/)
  expect(steps).toHaveLength(12)
})

test('a short computation goes on before long ones, which do not wait for ever', async () => {
  const steps: string[] = []
  const compute = async (name: string, spentMs: number) => {
    for (let step = 0; step < 3; step++) {
      await giveWay(spentMs)
      steps.push(name)
    }
  }
  await Promise.all([compute('longest', 900), compute('long', 500), compute('short', 10)])
  expect(steps.slice(0, 4)).toEqual(['short', 'longest', 'short', 'long'])
  expect(steps).toHaveLength(9)
})

test('what a computation has blocked counts as computed', async () => {
  const steps: string[] = []
  const block = (ms: number) => {
    for (const since = performance.now(); performance.now() - since < ms;);
  }
  const compute = async (name: string, ms: number) => {
    const giveWayInTime = createGiveWay()
    for (let step = 0; step < 3; step++) {
      block(ms)
      await giveWayInTime()
      steps.push(name)
    }
  }
  await Promise.all([compute('long', 60), compute('short', 11)])
  expect(steps[0]).toBe('short')
  expect(steps.lastIndexOf('short')).toBeLessThan(steps.lastIndexOf('long'))
})
