import { expect, test } from 'bun:test'
import { realProviders } from '../../support/providers'
import { testServer, startTestServer } from '../../support/server'
import { enveloped, TIMESTAMP } from '../http/forms'
import { applyOutcome, callControl, getState, postCheck, startSigning } from './provider'

const server = testServer()

test('200: the state lists a request to sign until it is signed', async () => {
  const signing = await startSigning(server)
  const listOwn = async () =>
    (await getState(server)).signatures.filter(({ id }: { id: string }) => id === signing.id)

  expect(await listOwn()).toEqual([
    {
      id: signing.id,
      request_id: signing.id,
      document_id: expect.any(String),
      phone: signing.tenant.phone,
      name: 'Tenant',
      status: 'pending',
      error: null,
      url: signing.address,
      valid_until: TIMESTAMP,
    },
  ])
  const failed = await applyOutcome(server, signing.id, 'fail-otp')
  expect(failed.body.data).toMatchObject({
    id: signing.id,
    status: 'in_progress',
    error: 'invaild_otp',
  })
  expect(await listOwn()).toMatchObject([{ status: 'in_progress' }])

  const signed = await applyOutcome(server, signing.id)
  expect(signed.body.data).toMatchObject({ status: 'signed', error: null })
  expect(await listOwn()).toEqual([])
})

test('200: the state lists an identity check until it is approved; 400: then it is finished', async () => {
  const { id, kycURL: url } = (await postCheck(server)).body
  const path = `/checks/${id}`
  expect((await getState(server)).checks).toContainEqual({ id, status: 'CREATED', url })

  await fetch(url)
  expect((await getState(server)).checks).toContainEqual({ id, status: 'KYC_REQUESTED', url })

  const approved = await callControl(server, 'POST', path, { outcome: 'approve' })
  expect(approved.body.data).toEqual({ id, status: 'SUCCESS', url })
  const failed = await callControl(server, 'POST', path, { outcome: 'fail' })
  expect(failed.body).toEqual(enveloped(400))

  const { checks } = await getState(server)
  expect(checks.map((check: { id: string }) => check.id)).not.toContain(id)
})

test('404: there is no sandbox if all providers are real', async () => {
  const real = await startTestServer({ env: realProviders })
  for (const path of ['', '/control', '/messages', '/sign/x', '/verify/x', '/files/sample-lease.pdf'])
    expect([path, (await fetch(`${real.url}/sandbox${path}`)).status]).toEqual([path, 404])
  for (const path of ['signed', 'verified'])
    expect([path, (await fetch(`${real.url}/${path}`)).status]).toEqual([path, 200])
  await real.end()
})
