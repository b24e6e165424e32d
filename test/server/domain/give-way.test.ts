import { expect, test } from 'bun:test'
import { forEachGivingWay } from '../../../server/domain/give-way'

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
