import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import {
  sendRequest,
  createDraft,
  createUnit,
  signInUser,
  agreementTerms,
  type TestUser,
} from '../../support/users'
import { testServer } from '../../support/server'
import { signingProvider, signs, signsAt, start } from './signing/provider'

const provider = signingProvider()
const server = testServer({ env: provider.env, poolSize: 25 })

/** On a cold connection pool requests queue, and even a naive read-then-write passes. */
const warmPool = () =>
  Promise.all(Array.from({ length: 25 }, () => sendRequest(server, 'GET', '/health/ready')))

const getAgreement = async (reader: TestUser, { id }: { id: number }) =>
  (await reader.call('GET', `/agreements/${id}`)).body.data

const findActivities = (agreementId: number, type: string) =>
  getKysely(server.em())
    .selectFrom('activities')
    .where('entity_type', '=', 'agreement')
    .where('entity_id', '=', agreementId)
    .where('type', '=', type)
    .select('user_id')
    .execute()

const findOpen = (agreementId: number) =>
  getKysely(server.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .where('status', '=', 'PENDING')
    .select(['signature_id', 'provider_request_id'])
    .execute()

/** Repeats a race on new records. */
async function repeat(
  count: number,
  round: (people: { owner: TestUser; tenant: TestUser }, index: number) => Promise<void>,
) {
  await warmPool()
  const people = { owner: await signInUser(server), tenant: await signInUser(server) }
  for (let index = 0; index < count; index++) await round(people, index)
}

test('two last signatures at once activate the agreement once, with one activity each', async () => {
  await repeat(25, async ({ owner, tenant }) => {
    const { agreement } = await createDraft(owner, [tenant])
    const [first, second] = await Promise.all([
      start(owner, agreement, owner),
      start(owner, agreement, tenant),
    ])
    const answers = await Promise.all(
      [first, second].map(({ body }) => signsAt(provider, server.url, body.data.signature_id)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await getAgreement(owner, agreement)).toMatchObject({ status: 'ACTIVE' })
    expect(
      (await findActivities(agreement.id, 'agreement_activated'))
        .map(({ user_id }) => user_id)
        .toSorted((a, b) => a - b),
    ).toEqual([owner.id, tenant.id])
  })
})

test('the last signature and a termination at once leave nothing open', async () => {
  await repeat(20, async ({ owner, tenant }) => {
    const { agreement } = await createDraft(owner, [tenant])
    await signs(provider, server.url, owner, agreement, owner)
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    const [told, ended] = await Promise.all([
      signsAt(provider, server.url, data.signature_id),
      owner.call('POST', `/agreements/${agreement.id}/terminate`, {}),
    ])
    expect([told.status === 200 || told.status === 503, ended.status]).toEqual([true, 200])
    expect((await getAgreement(owner, agreement)).status).toBe('TERMINATED')
    expect((await findActivities(agreement.id, 'agreement_activated')).length % 2).toBe(0)
    expect(await findOpen(agreement.id)).toEqual([])
  })
})

test('a signing that starts during a change sends the document of the agreement', async () => {
  const ends: Record<string, number> = {}
  await repeat(30, async ({ owner, tenant }, index) => {
    const { agreement } = await createDraft(owner, [tenant], {
      document_url: `https://example.com/${index}-old.pdf`,
    })
    if (index % 2)
      provider.replies.create = request => {
        delete provider.replies.create
        return Bun.sleep(5).then(() =>
          fetch(request.url, { method: 'POST', body: JSON.stringify(provider.calls.at(-1)!.body) }),
        )
      }
    const [sent, changed] = await Promise.all([
      start(owner, agreement, tenant),
      owner.call('PATCH', `/agreements/${agreement.id}`, {
        document_url: `https://example.com/${index}-new.pdf`,
        rent_amount: 30000,
      }),
    ])
    delete provider.replies.create
    const now = await getAgreement(owner, agreement)
    expect(sent.status).toBe(200)
    expect([200, 403]).toContain(changed.status)
    expect(now).toMatchObject({
      status: 'PENDING',
      rent_amount: changed.status === 200 ? 30000 : 25000,
      document_url: `https://example.com/${index}-${changed.status === 200 ? 'new' : 'old'}.pdf`,
    })
    expect(
      provider.calls.find(({ body }) => body?.documentId === sent.body.data.signature_id)!.body.documentUrl,
    ).toBe(now.document_url)
    ends[changed.status] = (ends[changed.status] ?? 0) + 1
  })
  expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(30)
})

test('a signing that starts during a deletion: the draft is deleted and the request cancelled, or it is PENDING', async () => {
  await repeat(30, async ({ owner, tenant }, index) => {
    const document_url = `https://example.com/${index}-gone.pdf`
    const { agreement } = await createDraft(owner, [tenant], { document_url })
    const [sent, gone] = await Promise.all([
      start(owner, agreement, tenant),
      owner.call('DELETE', `/agreements/${agreement.id}`),
    ])
    if (gone.status === 200) {
      expect(sent.status).toBe(404)
      expect((await owner.call('GET', `/agreements/${agreement.id}`)).status).toBe(404)
      for (const { body } of provider.creates(document_url))
        expect(provider.of(body.documentId).cancelled).toBe(true)
      expect(await findOpen(agreement.id)).toEqual([])
    } else {
      expect([sent.status, gone.status, (await getAgreement(owner, agreement)).status]).toEqual([
        200,
        403,
        'PENDING',
      ])
    }
  })
})

test('a signing that starts while the signer is removed: the signer is refused, or remains a party', async () => {
  await repeat(20, async ({ owner, tenant }) => {
    const other = await signInUser(server)
    const { agreement } = await createDraft(owner, [tenant])
    const [sent, changed] = await Promise.all([
      start(owner, agreement, tenant),
      owner.call('PATCH', `/agreements/${agreement.id}`, { tenant_ids: [other.id] }),
    ])
    const { status, tenant_ids } = await getAgreement(owner, agreement)
    expect([
      [200, 403, 'PENDING', tenant.id],
      [403, 200, 'DRAFT', other.id],
    ]).toContainEqual([sent.status, changed.status, status, tenant_ids[0]])
    if (sent.status === 403) expect(await findOpen(agreement.id)).toEqual([])
  })
})

test('two changes of a draft at once both count, even if one moves it to another unit', async () => {
  await repeat(30, async ({ owner, tenant }) => {
    const { agreement } = await createDraft(owner, [tenant])
    const { unit } = await createUnit(owner)
    const path = `/agreements/${agreement.id}`
    const answers = await Promise.all([
      owner.call('PATCH', path, { property_unit_id: unit.id }),
      owner.call('PATCH', path, { rent_amount: 1 }),
      owner.call('PATCH', path, { amenities: ['lift'] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await getAgreement(owner, agreement)).toMatchObject({
      property_unit_id: unit.id,
      rent_amount: 1,
      amenities: ['lift'],
    })
  })
})

test('sign, change, delete, terminate and complete at once end in a legal state, without a deadlock', async () => {
  await repeat(20, async ({ owner, tenant }) => {
    const { agreement, property, unit } = await createDraft(owner, [tenant])
    const path = `/agreements/${agreement.id}`
    const answers = await Promise.all([
      start(owner, agreement, owner),
      start(tenant, agreement, tenant),
      start(owner, agreement, tenant),
      owner.call('PATCH', path, { rent_amount: 1 }),
      owner.call('PATCH', path, {}),
      owner.call('DELETE', path),
      owner.call('POST', `${path}/terminate`, {}),
      owner.call('POST', `${path}/complete`, {}),
      owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { unit_name: 'B' }),
      owner.call('DELETE', `/properties/${property.id}/units/${unit.id}`),
      owner.call('DELETE', `/properties/${property.id}`),
    ])
    for (const { status, body } of answers)
      expect([200, 400, 403, 404], JSON.stringify(body)).toContain(status)
    const left = await owner.call('GET', path)
    expect(
      left.status === 404 || ['DRAFT', 'PENDING', 'TERMINATED', 'COMPLETED'].includes(left.body.data.status),
    ).toBe(true)
    if (left.status === 404 || left.body.data.status !== 'PENDING')
      expect(await findOpen(agreement.id)).toEqual([])
  })
})

test('a unit that is deleted while an agreement of it is created or sent: never an agreement without a unit', async () => {
  await repeat(20, async ({ owner, tenant }) => {
    const { agreement, property, unit } = await createDraft(owner, [tenant])
    const path = `/properties/${property.id}/units/${unit.id}`
    const [made, sent, gone] = await Promise.all([
      owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id])),
      start(owner, agreement, tenant),
      owner.call('DELETE', path),
    ])
    expect([201, 404]).toContain(made.status)
    expect([
      [200, 400, 200],
      [404, 200, 404],
    ]).toContainEqual([sent.status, gone.status, (await owner.call('GET', path)).status])
    if (made.status === 201)
      expect((await owner.call('GET', `/agreements/${made.body.data.id}`)).status).toBe(
        gone.status === 200 ? 404 : 200,
      )
  })
})

test('400: of two overlapping agreements that are signed at once, one is refused', async () => {
  await repeat(25, async ({ owner, tenant }) => {
    const { agreement, unit } = await createDraft(owner, [tenant])
    const others = await Promise.all(
      [1, 2].map(() => owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))),
    )
    const all = [agreement, ...others.map(({ body }) => body.data)]
    const answers = await Promise.all(all.map(each => start(owner, each, tenant)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(
      (await Promise.all(all.map(each => getAgreement(owner, each)))).map(({ status }) => status).toSorted(),
    ).toEqual(['DRAFT', 'DRAFT', 'PENDING'])
  })
})

test('parallel creates get different numbers', async () => {
  await warmPool()
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const { unit } = await createUnit(owner)
  const year = new Date(Date.now() + 5.5 * 3_600_000).getUTCFullYear()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))),
  )
  expect(answers.map(({ body }) => body.data.agreement_number).toSorted()).toEqual(
    Array.from({ length: 40 }, (_, index) => `AGR-${year}-${String(index + 1).padStart(6, '0')}`),
  )
})

test('a tenant who is created by many at once is one user', async () => {
  await warmPool()
  const owners = await Promise.all(Array.from({ length: 8 }, () => signInUser(server)))
  const phone_number = `8${String(process.pid % 1000).padStart(3, '0')}${String(Date.now() % 1_000_000).padStart(6, '0')}`
  const answers = await Promise.all(owners.map(owner => owner.call('POST', '/tenants', { phone_number })))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
})

test('a property that is deleted while units are added: never a unit without its property', async () => {
  await repeat(15, async ({ owner, tenant: other }) => {
    const { property } = await createUnit(owner)
    const [added, gone] = await Promise.all([
      other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' }),
      owner.call('DELETE', `/properties/${property.id}`),
    ])
    expect(gone.status).toBe(200)
    expect([201, 404]).toContain(added.status)
    expect((await other.call('GET', `/properties/${property.property_id}`)).status).toBe(
      added.status === 201 ? 200 : 404,
    )
  })
})
