import { expect, test } from 'bun:test'
import { sendReminders } from '../../../../server/jobs/send-reminders'
import { clock, testServer } from '../../../support/server'
import { signInUser } from '../../../support/users'
import { signingProvider, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const DAY_MS = 24 * 3_600_000
const provider = signingProvider()
const time = clock()
const server = testServer({
  env: { ...provider.env, STRANGER_REQUEST_LIMIT: '1' },
  overrides: { now: time.now, sendReminder: async () => {} },
})
const { createSimpleDraft } = signingFixtures(server)
/** Limits are twenty times as high with the sandbox channel. */
const MAX = 20

test('a request that the provider did not take does not count against the limit for strangers', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  provider.replies.create = () => new Response(null, { status: 400 })
  for (let tries = 0; tries <= MAX; tries++) expect((await start(owner, agreement, tenant)).status).toBe(503)
  delete provider.replies.create

  expect((await start(owner, agreement, tenant)).status).toBe(200)
})

test('an open request that is returned again does not count', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  for (let tries = 0; tries <= MAX; tries++) expect((await start(owner, agreement, tenant)).status).toBe(200)
})

test('a request that a reminder makes, since the earlier one expired, does not count', async () => {
  const document_url = 'https://example.com/reminded.pdf'
  const { owner, tenant, agreement } = await createSimpleDraft({ document_url })
  await start(owner, agreement, tenant)
  time.advance(4 * DAY_MS)
  await sendReminders(server.deps)
  expect(provider.creates(document_url)).toHaveLength(2)

  const landlord = await signInUser(server, owner.phone)
  const path = `/agreements/${agreement.id}/signatures`
  const statuses: number[] = []
  for (let tries = 0; tries <= MAX; tries++) {
    const { signatures } = (await landlord.get(path)).data
    const open = signatures.find((each: { status: string }) => each.status === 'pending')
    if (open) await landlord.post(`${path}/${open.id}/cancel`)
    statuses.push((await start(landlord, agreement, tenant)).status)
  }

  expect(statuses).toEqual([...Array(MAX).fill(200), 429])
})
