import { test } from 'bun:test'
import { startBooksServer } from '../../../support/books/lease-fixture'
import { runRandomOperations } from './random-operations'

test('the invariants hold after each of many random operations', async () => {
  await using server = await startBooksServer()
  await runRandomOperations(server, 150, [server])
}, 120_000)
