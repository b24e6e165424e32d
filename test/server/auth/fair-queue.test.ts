import { expect, test } from 'bun:test'
import { createFairQueue, QueueFullError } from '../../../server/auth/fair-queue'

test('in a full queue, the group with the most works gives its last place to one with fewer', async () => {
  const runInTurn = createFairQueue(1, 4)
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const ask = (group: string, name: string) =>
    runInTurn(group, async () => {
      await gate.promise
      done.push(name)
    })
  const settled = Promise.allSettled([
    ask('first', 'running'),
    ask('small', 'small 1'),
    ask('large', 'large 1'),
    ask('large', 'large 2'),
    ask('large', 'large 3'),
    ask('new', 'new 1'),
  ])
  gate.resolve()

  const results = await settled

  const refused = results.flatMap((result, index) =>
    result.status === 'rejected' ? [[index, result.reason]] : [],
  )
  expect(refused).toEqual([[4, expect.any(QueueFullError)]])
  expect(done).toEqual(['running', 'small 1', 'large 1', 'new 1', 'large 2'])
})

test('in a full queue, a group gives no place to one that would then have as many', async () => {
  const runInTurn = createFairQueue(1, 3)
  const gate = Promise.withResolvers<void>()
  const ask = (group: string) => runInTurn(group, () => gate.promise)
  const settled = Promise.allSettled(['running', 'large', 'large', 'small', 'small'].map(ask))
  gate.resolve()

  const results = await settled

  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, true, false])
})
