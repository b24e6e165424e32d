import { expect, test } from 'bun:test'
import { readCertificate } from '../../../support/certificate-text'
import { erase } from '../../privacy/erasing'
import { createPaperDraft, createRecorded, listTypes, paperServer, readDocument, GIVEN } from './fixtures'

const server = paperServer()
const REASON = 'The rent is 20,000'

test('the tenants are told of a recorded lease, each once', async () => {
  const { tenant, agreement } = await createRecorded(server)
  await createPaperDraft(server)

  const messages = server.db.selectFrom('messages_out').where('user_id', '=', tenant.id).selectAll()
  expect(await messages.execute()).toMatchObject([
    {
      kind: 'lease_recorded',
      entity_type: 'agreement',
      entity_id: agreement.id,
      state: 'queued',
      language: 'en',
    },
  ])
})

test('lease, timeline and documents show an objection until the tenant withdraws it', async () => {
  const { landlord, tenant, path, agreement } = await createRecorded(server)
  const shows = async () => {
    const statement = await readDocument(server, landlord, `${path}/statement/pdf`)
    const { text } = await readCertificate(server, landlord, agreement.id)
    const { body } = await landlord.get(path)
    const shown = [statement, text, JSON.stringify(body.data.objections)]
    const warnings = body.warnings?.map(({ code }: any) => code) ?? []
    return [...shown.map(each => each.includes('20,000')), ...warnings]
  }

  const objected = await tenant.post(`${path}/objection`, { reason: REASON })

  expect([objected.status, objected.body.warnings]).toMatchObject([201, [{ code: 'tenant_objects' }]])
  expect(await shows()).toEqual([true, true, true, 'tenant_objects'])
  expect(await readDocument(server, landlord, `${path}/statement/pdf?language=hi`)).toContain(
    GIVEN.first_name,
  )
  const again = await tenant.post(`${path}/objection`, { reason: REASON })
  expect([again.status, again.error.reason]).toEqual([400, 'objection_open'])
  expect((await landlord.delete(`${path}/objection`)).error.reason).toBe('not_tenant')
  expect((await tenant.delete(`${path}/objection`)).status).toBe(200)
  expect(await shows()).toEqual([false, false, false])
  const gone = await tenant.delete(`${path}/objection`)
  expect([gone.status, gone.error.reason]).toEqual([404, 'objection_not_found'])
  expect(await listTypes(landlord, path)).toEqual([
    'created',
    'recorded',
    'activated',
    'objected',
    'objection_withdrawn',
  ])
})

test('the objection of a tenant who is erased goes with them', async () => {
  const { landlord, tenant, path } = await createRecorded(server)
  await tenant.post(`${path}/objection`, { reason: REASON })

  await erase(server, tenant)

  const { body } = await landlord.get(path)
  expect([body.data.objections, body.warnings]).toEqual([[], undefined])
})
