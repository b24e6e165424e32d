import { expect, test } from 'bun:test'
import { createDraft, createLandlord, completeSigning, signInUser } from '../../../support/users'
import { testServer } from '../../../support/server'
import { insertSignature } from '../../../support/signatures'

const server = testServer()
async function createFixture() {
  const [owner, tenant] = [await createLandlord(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const { signature_id: signed } = await completeSigning(owner, agreement.id, owner.id)
  const { data } = await owner.post(`${path}/sign`, { signer_id: tenant.id })
  const asked = data as { signature_id: string; signing_url: string }
  const cancel = (id: string | number) => owner.post(`${path}/signatures/${id}/cancel`)
  return { owner, tenant, agreement, path, signed, asked, cancel }
}

test('200: one signature is cancelled, also at the provider; the others stay, and the party can sign later', async () => {
  const { owner, tenant, agreement, path, asked, cancel } = await createFixture()
  const { signature_id } = asked
  const data = { signature_id, status: 'expired' }
  expect((await cancel(signature_id)).body).toEqual({ success: true, message: expect.any(String), data })
  expect((await owner.get(`${path}/signatures`)).data).toMatchObject({
    allSigned: false,
    signatures: [{ status: 'signed' }, { status: 'expired' }],
  })
  expect((await owner.get(path)).data.status).toBe('PENDING')
  expect((await fetch(`${asked.signing_url}/sign`, { method: 'POST' })).status).toBe(400)
  expect((await completeSigning(tenant, agreement.id, tenant.id)).signature_id).not.toBe(signature_id)
  expect((await owner.get(path)).data.status).toBe('ACTIVE')
})

test('400: a completed or cancelled signature cannot be cancelled', async () => {
  const { signed, asked, cancel } = await createFixture()
  expect((await cancel(signed)).status).toBe(400)
  await cancel(asked.signature_id)
  expect((await cancel(asked.signature_id)).status).toBe(400)
})

test('404: a malformed, absent or foreign signature', async () => {
  const { cancel } = await createFixture()
  const other = await createFixture()
  for (const id of ['x', '0', '2147483648', crypto.randomUUID(), other.asked.signature_id])
    expect((await cancel(id)).status).toBe(404)
})

test('404: a signature of which the request is still being sent', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const sent = { expires_at: new Date(Date.now() + 60_000) }
  const { id } = await insertSignature(server.db, agreement, tenant, sent)

  const { status, error } = await owner.post(`${path}/signatures/${id}/cancel`)

  expect([status, error.reason]).toEqual([404, 'signature_not_found'])
})
