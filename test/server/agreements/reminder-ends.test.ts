import { expect, test } from 'bun:test'
import { loadJobsReport } from '../../../server/operations/service'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'
import { signingProvider, signs, start } from './signing/provider'

const DAY_MS = 24 * 3_600_000
const provider = signingProvider()
const time = clock()
const server = testServer({ env: provider.env, overrides: { now: time.now } })

test('no reminder waits for a party who has signed or declined', async () => {
  const [owner, signer, refuser, silent] = [
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
    await signInUser(server),
  ]
  const { agreement, path } = await createDraft(owner, [signer, refuser, silent])
  await start(owner, agreement, silent)
  await start(owner, agreement, refuser)
  await signs(provider, server.url, owner, agreement, signer)
  await refuser.post(`${path}/decline`, {})

  time.advance(2 * DAY_MS)
  expect((await loadJobsReport(server.deps)).waiting.reminders).toBe(1)
})
