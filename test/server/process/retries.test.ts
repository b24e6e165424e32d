import { expect, test } from 'bun:test'
import { recordLog } from '../../support/log'
import { retryUntilReachable } from '../../../server/process/retry-until-reachable'

const unreachable = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

test('work is repeated until the database is reachable, with one warning', async () => {
  const { lines, log } = recordLog()
  let attempts = 0
  const work = async () => {
    if (++attempts < 3) throw unreachable()
    return 'done'
  }

  const result = await retryUntilReachable(work, { log, warning: 'It is not there', isStopping: () => false })

  expect([result, attempts]).toEqual(['done', 3])
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'It is not there; waiting for the database'],
  ])
})

test('another failure is thrown at once, without a warning', async () => {
  const { lines, log } = recordLog()
  let attempts = 0
  const work = async () => {
    attempts++
    throw new Error('a migration')
  }

  const options = { log, warning: 'It is not there', isStopping: () => false }
  expect(retryUntilReachable(work, options)).rejects.toThrow('a migration')
  expect([attempts, lines]).toEqual([1, []])
})

test('a server that stops does not try again', async () => {
  const { log } = recordLog()
  let attempts = 0
  const work = async () => {
    attempts++
    throw unreachable()
  }

  const options = { log, warning: 'It is not there', isStopping: () => attempts > 0 }
  expect(await retryUntilReachable(work, options)).toBeUndefined()
  expect(attempts).toBe(1)
})
