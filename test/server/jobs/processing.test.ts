import { expect, test } from 'bun:test'
import type { Deps } from '../../../server/deps'
import { BATCH_SIZE, processInBatches } from '../../../server/domain/due-rows'
import { recordLog } from '../../support/log'

test('batches follow each other until one is not full; five rows are processed at a time', async () => {
  const { log } = recordLog()
  const batches = [BATCH_SIZE, BATCH_SIZE, 3, 10]
  const done: number[] = []
  let [running, most] = [0, 0]

  await processInBatches({ log } as Deps, {
    subject: 'a row',
    claim: async () => Array.from({ length: batches.shift()! }, (_, id) => ({ id })),
    process: async id => {
      most = Math.max(most, ++running)
      await Bun.sleep(1)
      running--
      done.push(id)
    },
  })

  expect([done.length, most, batches]).toEqual([2 * BATCH_SIZE + 3, 5, [10]])
})

test('a row that fails stops no other, and is logged', async () => {
  const { lines, log } = recordLog()
  const done: number[] = []

  await processInBatches({ log } as Deps, {
    subject: 'a row',
    claim: async () => [1, 2, 3].map(id => ({ id })),
    process: async id => {
      if (id === 2) throw new Error('of this row')
      done.push(id)
    },
  })

  expect(done).toEqual([1, 3])
  expect(lines).toMatchObject([
    {
      level: 'warn',
      id: 2,
      msg: 'The job failed for a row; it is tried again later',
      err: { type: 'Error' },
    },
  ])
})
