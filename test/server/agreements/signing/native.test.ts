import { expect, test } from 'bun:test'
import { signInUser } from '../../../support/users'
import { nativeServer, withSignatures } from './native-fixtures'
import { LEASE } from './native-provider'
import { start } from './provider'

const {
  provider,
  time,
  server,
  createNativeDraft,
  startBoth,
  findRequests,
  getUpload,
  signs,
  getAgreement,
  getSignatures,
  findRecords,
} = nativeServer()

test('one request has the document and all parties in signing order, with the credentials', async () => {
  const {
    owner,
    tenants: [first, second],
    agreement,
  } = await createNativeDraft({ tenants: 2 })
  const {
    body: { data },
  } = await start(owner, agreement, owner)
  const [request, ...others] = findRequests(owner)
  const { name, content, headers } = getUpload(request!.documentId)
  expect({ name, content, others }).toEqual({
    name: `${data.signature_id}.pdf`,
    content: LEASE,
    others: [],
  })
  expect(
    ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(header => headers.get(header)),
  ).toEqual(['client', 'hush', 'product'])
  expect(provider.creates.find(({ documentId }) => documentId === request!.documentId)).toEqual({
    documentId: request!.documentId,
    redirectUrl: 'https://api.example.com/signed',
    signers: [owner, first!, second!].map(({ phone }, index) => ({
      identifier: phone,
      displayName: ['Landlord', 'Tenant', 'Tenant'][index],
      signature: {
        onPages: ['all'],
        position: ['top-left', 'bottom-right', 'bottom-left'][index],
        height: 60,
        width: 180,
      },
    })),
  })
  expect(data).toEqual({
    signature_id: data.signature_id,
    signing_url: provider.findSigner(request!.id, owner).url,
    expires_at: new Date(time.now().getTime() + 72 * 3_600_000).toISOString(),
    status: 'pending',
  })
})

test('200: the second party gets its own address in the same request', async () => {
  const fixture = await startBoth()
  const { owner, tenant, answers, requestId } = fixture
  expect(answers.map(({ body }) => body.data.signing_url)).toEqual(
    [owner, tenant].map(person => provider.findSigner(requestId, person).url),
  )
  expect(findRequests(tenant).map(({ id }) => id)).toEqual([requestId])
  expect(await findRecords(fixture)).toEqual(
    [owner, tenant].map(person => ({
      status: 'PENDING',
      provider: 'setu-native',
      provider_request_id: requestId,
      provider_signature_id: provider.findSigner(requestId, person).id,
      last_error: null,
    })),
  )
})

test('parties that start at the same time share one request', async () => {
  const { owner, tenants, agreement } = await createNativeDraft({ tenants: 3 })
  const people = [owner, ...tenants]
  const answers = await Promise.all(people.map(person => start(owner, agreement, person)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(findRequests(owner)).toHaveLength(1)
  expect(answers.map(({ body }) => body.data.signing_url)).toEqual(
    people.map(person => provider.findSigner(findRequests(owner)[0]!.id, person).url),
  )
})

test('an agreement becomes ACTIVE once, with one document that has all signatures', async () => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  const before = provider.unlocked.length
  expect((await signs(tenant, requestId)).status).toBe(200)
  expect([(await getAgreement(fixture)).status, await getSignatures(fixture)]).toMatchObject([
    'PENDING',
    { allSigned: false, signatures: [{ status: 'pending' }, { status: 'signed' }] },
  ])
  expect((await signs(owner, requestId)).status).toBe(200)
  expect([(await getAgreement(fixture)).status, await getSignatures(fixture)]).toMatchObject([
    'ACTIVE',
    { allSigned: true },
  ])
  const { events } = (await owner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data
  expect(events.filter(({ type }: { type: string }) => type === 'activated')).toHaveLength(1)
  expect((await owner.call('GET', `/agreements/${agreement.id}/document`)).body).toBe(
    withSignatures(owner, tenant),
  )
  for (const headers of provider.unlocked.slice(before))
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id', 'authorization'].map(header =>
        headers.get(header),
      ),
    ).toEqual([null, null, null, null])
  expect(provider.deleted).not.toContain(requestId)
})

test('the manager can sign instead of the landlord', async () => {
  const fixture = await createNativeDraft()
  const { owner, tenant, property, unit, agreement } = fixture
  const manager = await signInUser(server)
  await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  await start(owner, agreement, manager)
  await start(owner, agreement, tenant)
  expect([
    findRequests(owner),
    findRequests(manager)[0]!.signers.map(({ identifier }) => identifier),
  ]).toEqual([[], [manager.phone, tenant.phone]])
  for (const person of [manager, tenant]) await signs(person, findRequests(manager)[0]!.id)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})

test('a signature position reaches the provider for its signer alone', async () => {
  const { owner, agreement } = await createNativeDraft()
  await start(owner, agreement, owner, {
    flexi_options: { signature_position: { page_number: 3, x: 400, y: 700, width: 120, height: 40 } },
  })
  expect(
    provider.creates
      .find(({ signers }) => signers[0].identifier === owner.phone)
      .signers.map(({ signature }: any) => signature),
  ).toEqual([
    { onPages: ['3'], position: 'top-right', width: 120, height: 40 },
    { onPages: ['all'], position: 'bottom-left', width: 180, height: 60 },
  ])
})

test('parties beyond the limit of one request get a second one', async () => {
  const fixture = await createNativeDraft({ tenants: 7 })
  const { owner, tenants, agreement } = fixture
  const people = [owner, ...tenants]
  for (const person of people) expect((await start(owner, agreement, person)).status).toBe(200)
  expect(
    [owner, tenants[6]!].map(person => findRequests(person).map(({ signers }) => signers.length)),
  ).toEqual([[6], [2]])
  for (const person of people) await signs(person, findRequests(person)[0]!.id)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]
test.each(orders)('webhooks in the order %d, %d, %d, each twice, end in ACTIVE', async (...order) => {
  const fixture = await startBoth()
  const { owner, tenant, requestId } = fixture
  const was = [[], [tenant], [tenant, owner]].map(people =>
    provider.of(requestId).signers.map(({ url: _, ...signer }) => ({
      ...signer,
      status: people.some(({ phone }) => phone === signer.identifier) ? 'signed' : 'pending',
    })),
  )
  for (const person of [owner, tenant]) provider.becomes(requestId, person, { status: 'signed' })
  for (const index of order.flatMap(each => [each, each])) {
    const about = {
      signers: was[index]!.toReversed(),
      status: ['sign_initiated', 'sign_pending', 'sign_complete'][index],
    }
    expect((await provider.tell(server.url, requestId, { nonce: index, about })).status).toBe(200)
  }
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})

for (const event of ['ESIGN_COMPLETE', 'ESIGN_WEBHOOK_NOTIFICATION']) {
  test(`${event} does not mark a pending signer as signed`, async () => {
    const fixture = await startBoth()
    const { owner, requestId } = fixture
    provider.becomes(requestId, owner, { status: 'signed' })
    await provider.tell(server.url, requestId, { event })
    expect([(await getAgreement(fixture)).status, await getSignatures(fixture)]).toMatchObject([
      'PENDING',
      { signatures: [{ status: 'signed' }, { status: 'pending' }] },
    ])
  })
}

test('only the signer who opens the document has viewed it', async () => {
  const fixture = await startBoth()
  const { owner, tenant, agreement, requestId } = fixture
  provider.becomes(requestId, tenant, { status: 'in_progress' })
  await provider.tell(server.url, requestId)
  const { events } = (await owner.call('GET', `/agreements/${agreement.id}/timeline`)).body.data
  expect(
    events
      .filter(({ type }: { type: string }) => type === 'viewed')
      .map(({ actor_id }: { actor_id: number }) => actor_id),
  ).toEqual([tenant.id])
})

test('a signer who fails the OTP can still sign', async () => {
  const fixture = await startBoth()
  const { owner, tenant, requestId } = fixture
  provider.becomes(requestId, tenant, { errCode: 'invaild_otp' })
  await provider.tell(server.url, requestId, { event: 'ESIGN_OTP_FAILED' })
  expect((await findRecords(fixture)).map(({ status, last_error }) => [status, last_error])).toEqual([
    ['PENDING', null],
    ['PENDING', 'invaild_otp'],
  ])
  for (const person of [tenant, owner]) await signs(person, requestId)
  expect((await getAgreement(fixture)).status).toBe('ACTIVE')
})
