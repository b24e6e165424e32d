import { test } from 'bun:test'
import { runRandomOperations } from '../../server/books/ledger/random-operations'
import { startBooksServer } from '../../support/books/lease-fixture'
import { startSecondInstance } from '../../support/server'

test('the invariants hold after each of thousands of random operations, on two instances', async () => {
  await using server = await startBooksServer()
  await runRandomOperations(server, 3000, [await startSecondInstance(server)])
}, 900_000)
