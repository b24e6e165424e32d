import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../../db/database'
import { createDraft, createLandlord, completeSigning, signInUser } from '../../../support/users'
import { testServer } from '../../../support/server'

const server = testServer()
async function sent() {
  const owner = await createLandlord(server)
  const tenant = await signInUser(server)
  const { agreement } = await createDraft(owner, [tenant])
  await completeSigning(owner, agreement.id, owner.id)
  const { body } = await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  return { owner, tenant, agreement, asked: body.data as { signature_id: string; signing_url: string } }
}
const signatures = async ({ owner, agreement }: Awaited<ReturnType<typeof sent>>) =>
  (await owner.call('GET', `/agreements/${agreement.id}/signatures`)).body.data

test('200: one signature is cancelled, also at the provider; the others stay, and the party can sign later', async () => {
  const was = await sent()
  const { owner, tenant, agreement, asked } = was
  expect(
    (
      await owner.call(
        'POST',
        `/agreements/${agreement.agreement_id}/signatures/${asked.signature_id}/cancel`,
      )
    ).body,
  ).toEqual({
    success: true,
    message: expect.any(String),
    data: { signature_id: asked.signature_id, status: 'expired' },
  })
  expect(await signatures(was)).toMatchObject({
    allSigned: false,
    signatures: [{ status: 'signed' }, { status: 'expired' }],
  })
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('PENDING')
  expect((await fetch(`${asked.signing_url}/sign`, { method: 'POST' })).status).toBe(400)
  const { rows } = await sql<{
    cancelled: boolean
  }>`select (data->>'cancelled')::boolean as cancelled from sandbox_records where data->>'documentId' = ${asked.signature_id}`.execute(
    getKysely(server.em()),
  )
  expect(rows).toEqual([{ cancelled: true }])
  expect((await completeSigning(tenant, agreement.id, tenant.id)).signature_id).not.toBe(asked.signature_id)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
})

test('400: a completed signature cannot be cancelled', async () => {
  const was = await sent()
  const { owner, agreement, asked } = was
  const [signed] = (await signatures(was)).signatures
  expect(
    (await owner.call('POST', `/agreements/${agreement.id}/signatures/${signed.id}/cancel`)).status,
  ).toBe(400)
  await owner.call('POST', `/agreements/${agreement.id}/signatures/${asked.signature_id}/cancel`)
  expect(
    (await owner.call('POST', `/agreements/${agreement.id}/signatures/${asked.signature_id}/cancel`)).status,
  ).toBe(400)
})

test('404: a malformed, absent or foreign signature', async () => {
  const { owner, agreement } = await sent()
  const other = await sent()
  for (const id of ['x', '0', '2147483648', crypto.randomUUID(), other.asked.signature_id])
    expect((await owner.call('POST', `/agreements/${agreement.id}/signatures/${id}/cancel`)).status).toBe(404)
})

test('404: a signature of which the request is still being sent', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const { id } = await getKysely(server.em())
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT',
      status: 'PENDING',
      provider: 'sandbox',
      expires_at: new Date(Date.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  const { status, error } = await owner.post(`${path}/signatures/${id}/cancel`)

  expect([status, error.reason]).toEqual([404, 'signature_not_found'])
})

test('a party who signs just before the cancellation has signed', async () => {
  const { owner, tenant, agreement, asked } = await sent()
  for (const winner of await Promise.all([
    fetch(`${asked.signing_url}/sign`, { method: 'POST' }),
    owner.call('POST', `/agreements/${agreement.id}/signatures/${asked.signature_id}/cancel`),
  ]))
    expect([200, 400]).toContain(winner.status)
  const { status } = (await owner.call('GET', `/agreements/${agreement.id}`)).body.data
  if (status === 'PENDING') await completeSigning(tenant, agreement.id, tenant.id)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
})
