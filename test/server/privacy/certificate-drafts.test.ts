import { beforeAll, expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import { getKysely } from '../../../db/database'
import { refuse } from '../../../server/faults'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import type { SigningProvider } from '../../../server/providers/signing/port'
import { clock, testServer } from '../../support/server'
import { createActiveAgreement, createLandlord, createTenant, sendRequest } from '../../support/users'
import type { TestUser } from '../../support/users'

const time = clock()
const server = testServer({ overrides: { now: time.now } })
let signing: SigningProvider
beforeAll(() => {
  signing = server.deps.signing
})

/** Lets the provider give so many documents, then none. Returns those that it gave. */
function limitDownloads(max: number) {
  const given: string[] = []
  const download = async (requestId: string) => {
    if (given.length === max) throw refuse('provider_unreachable', { provider: 'e-signing' })
    given.push(requestId)
    return signing.download(requestId)
  }
  Object.assign(server.deps, { signing: { ...signing, download } })
  return given
}

async function createEndedAgreements(count: number) {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const ids: number[] = []
  while (ids.length < count) {
    const { agreement, path } = await createActiveAgreement(landlord, [tenant])
    await landlord.post(`${path}/terminate`, {})
    ids.push(agreement.id)
  }
  return { landlord, tenant, ids }
}

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  return user.call('DELETE', '/auth/me', { otp: '123456' })
}

const findDrafts = (ids: number[]) =>
  getKysely(server.em())
    .selectFrom('certificate_drafts')
    .where('agreement_id', 'in', ids)
    .select('agreement_id')
    .execute()

test('503: an erasure that cannot prepare all certificates; the next one goes on from there', async () => {
  const { landlord, tenant, ids } = await createEndedAgreements(2)
  const before = limitDownloads(2)
  expect((await erase(landlord)).status).toBe(503)
  expect(before).toHaveLength(2)
  expect(await findDrafts(ids)).toEqual([{ agreement_id: ids[0]! }])

  const after = limitDownloads(10)
  expect((await erase(landlord)).status).toBe(200)
  expect(after).toHaveLength(2)
  expect(await findDrafts(ids)).toEqual([])
  for (const id of ids) expect((await tenant.get(`/agreements/${id}/certificate`)).status).toBe(200)
})

test('a draft that no longer covers the timeline is generated anew', async () => {
  const { landlord, tenant, ids } = await createEndedAgreements(2)
  limitDownloads(2)
  expect((await erase(landlord)).status).toBe(503)
  await landlord.post(`/agreements/${ids[0]}/complete`, {})

  limitDownloads(10)
  expect((await erase(landlord)).status).toBe(200)

  const { data } = await tenant.get(`/agreements/${ids[0]}/timeline`)
  expect(data.events.map(({ type }: { type: string }) => type)).toContain('completed')
  const { content } = await getKysely(server.em())
    .selectFrom('agreement_certificates')
    .where('agreement_id', '=', ids[0]!)
    .select('content')
    .executeTakeFirstOrThrow()
  const { text } = await extractText(new Uint8Array(content), { mergePages: true })
  expect(text).toContain('Agreement closed')
})

test('a draft that no erasure used is deleted after a day', async () => {
  const { landlord, ids } = await createEndedAgreements(2)
  limitDownloads(2)
  await erase(landlord)

  time.advance(24 * 3_600_000 - 1)
  await purgeExpired(server.deps)
  expect(await findDrafts(ids)).toHaveLength(1)
  time.advance(1)
  await purgeExpired(server.deps)
  expect(await findDrafts(ids)).toHaveLength(0)
})
