import { afterAll, expect, test } from 'bun:test'
import { createDraft, completeSigning, signInUser, type TestUser } from '../../../support/users'
import { testServer } from '../../../support/server'
import { LEASE } from './native-provider'
import { start } from './provider'

const files = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(LEASE, { headers: { 'content-type': 'application/pdf' } }),
})
afterAll(() => files.stop(true))
const server = testServer({ env: { ESIGN_PROTOCOL: 'native' } })

async function lease() {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  return {
    owner,
    tenant,
    ...(await createDraft(owner, [tenant], { document_url: `http://127.0.0.1:${files.port}/lease.pdf` })),
  }
}
const getStatus = async (owner: TestUser, { id }: { id: number }) =>
  (await owner.call('GET', `/agreements/${id}`)).body.data.status
const listSignatures = async (owner: TestUser, { id }: { id: number }) =>
  (await owner.call('GET', `/agreements/${id}/signatures`)).body.data.signatures

test('the sandbox: both parties sign one request, and the agreement is active', async () => {
  const { owner, tenant, agreement } = await lease()
  const asked = await completeSigning(owner, agreement.id, owner.id)
  expect([asked.pressed < 400, await getStatus(owner, agreement)]).toEqual([true, 'PENDING'])
  await completeSigning(tenant, agreement.id, tenant.id)
  expect([
    await getStatus(owner, agreement),
    (await listSignatures(owner, agreement)).map(({ status }: { status: string }) => status),
  ]).toEqual(['ACTIVE', ['signed', 'signed']])
  const document = await owner.call('GET', `/agreements/${agreement.id}/document`)
  expect([document.status, document.headers.get('content-type'), String(document.body).slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
})

test('the sandbox: a party who declined gets a new request, and the signature of the other stays', async () => {
  const { owner, tenant, agreement } = await lease()
  await completeSigning(owner, agreement.id, owner.id)
  const declined = await completeSigning(tenant, agreement.id, tenant.id, 'decline')
  expect((await listSignatures(owner, agreement)).map(({ status }: { status: string }) => status)).toEqual([
    'signed',
    'declined',
  ])
  const again = await completeSigning(owner, agreement.id, tenant.id)
  expect([again.signing_url === declined.signing_url, await getStatus(owner, agreement)]).toEqual([
    false,
    'ACTIVE',
  ])
})

test('the sandbox: a wrong OTP leaves the signature open, an expiry does not', async () => {
  const { owner, tenant, agreement } = await lease()
  const first = await completeSigning(tenant, agreement.id, tenant.id, 'fail-otp')
  expect((await start(owner, agreement, tenant)).body.data.signing_url).toBe(first.signing_url)
  await completeSigning(tenant, agreement.id, tenant.id, 'expire')
  expect((await start(owner, agreement, tenant)).body.data.signing_url).not.toBe(first.signing_url)
  for (const person of [tenant, owner]) await completeSigning(person, agreement.id, person.id)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

test('the sandbox: a termination ends the request', async () => {
  const { owner, agreement } = await lease()
  const {
    body: { data },
  } = await start(owner, agreement, owner)
  await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
  expect((await fetch(`${data.signing_url}/sign`, { method: 'POST', redirect: 'manual' })).status).toBe(400)
})
