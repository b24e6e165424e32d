import { expect, test } from 'bun:test'
import { getKysely, type Db } from '../../../../db/database'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { createDraft, createLandlord, createTenant } from '../../../support/users'
import { signingProvider, start } from './provider'

const provider = signingProvider()
const server = testServer({ env: { ...provider.env, PROVIDER_RETRIES: '0' } })

const lockAgreement = (db: Db, id: number) =>
  db.selectFrom('agreements').where('id', '=', id).select('id').forUpdate().execute()

const listStatuses = async (agreementId: number) => {
  const signatures = await getKysely(server.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .select('status')
    .execute()
  return signatures.map(({ status }) => status)
}

test('503: a signature whose request failed ends once no other change of the agreement is under way', async () => {
  const landlord = await createLandlord(server)
  const tenant = await createTenant(server)
  const { agreement } = await createDraft(landlord, [tenant])
  const asked = Promise.withResolvers<void>()
  const failure = Promise.withResolvers<Response>()
  provider.replies.create = () => {
    asked.resolve()
    return failure.promise
  }
  const started = start(landlord, agreement, tenant)
  await asked.promise

  let meanwhile: string[] = []
  const response = await interrupt(server, {
    lock: db => lockAgreement(db, agreement.id),
    start: () => {
      failure.resolve(new Response(null, { status: 500 }))
      return started
    },
    meanwhile: async () => void (meanwhile = await listStatuses(agreement.id)),
  })

  expect(meanwhile).toEqual(['PENDING'])
  expect(response.status).toBe(503)
  expect(await listStatuses(agreement.id)).toEqual(['EXPIRED'])
})
