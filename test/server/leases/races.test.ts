import { expect, test } from 'bun:test'
import { type Db } from '../../../db/database'
import { interruptInOrder, lockRow } from '../../support/locks'
import {
  agreementTerms,
  createUnit,
  freshPhone,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { start } from './signing/provider'
import { signingServer } from './signing/signing-fixtures'
import { toTimestamps } from '../../support/timestamps'

// Each race runs in one order: another transaction holds the lock for which the requests wait, one after the other.

const { provider, server, createSimpleDraft, signs, signsAt, listActivities } = signingServer()

const toStatuses = (responses: TestResponse[]) => responses.map(({ status }) => status)

const queue = (lock: (db: Db) => Promise<unknown>, requests: (() => Promise<TestResponse>)[]) =>
  interruptInOrder(server, lock, requests)

async function createFixture(changes: Record<string, unknown> = {}) {
  const draft = await createSimpleDraft(changes)
  return { ...draft, getAgreement: async () => (await draft.owner.get(draft.path)).data }
}

const findOpen = (agreementId: number) =>
  server.db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .where('status', '=', 'PENDING')
    .select('signature_id')
    .execute()

/** Starts a signing whose response the provider holds back until it is released. */
async function holdSigning(starter: TestUser, agreement: { id: number }, signer: TestUser) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  provider.replies.after = () => {
    delete provider.replies.after
    asked.resolve()
    return released.promise
  }
  const started = start(starter, agreement, signer)
  await asked.promise
  return () => {
    released.resolve()
    return started
  }
}

test('two last signatures at once activate the agreement once, with one activity each', async () => {
  const { owner, tenant, agreement, getAgreement } = await createFixture()
  const asked = [await start(owner, agreement, owner), await start(owner, agreement, tenant)]

  const responses = await queue(
    lockRow('agreements', agreement.id),
    asked.map(
      ({ data }) =>
        () =>
          signsAt(data.signature_id),
    ),
  )

  expect(toStatuses(responses)).toEqual([200, 200])
  expect(await getAgreement()).toMatchObject({ status: 'ACTIVE' })
  expect(await listActivities(agreement, 'agreement_activated')).toEqual([owner.id, tenant.id])
})

test.each([
  ['signature', 1],
  ['termination', 0],
])('the last signature and a termination at once leave nothing open: the %s first', async (first, times) => {
  const { owner, tenant, agreement, path, getAgreement } = await createFixture()
  await signs(owner, agreement, owner)
  const { data } = await start(owner, agreement, tenant)
  const sign = () => signsAt(data.signature_id)
  const terminate = () => owner.post(`${path}/terminate`)

  const responses = await queue(
    lockRow('agreements', agreement.id),
    first === 'signature' ? [sign, terminate] : [terminate, sign],
  )

  expect(toStatuses(responses)).toEqual([200, 200])
  expect((await getAgreement()).status).toBe('TERMINATED')
  expect(await listActivities(agreement, 'agreement_activated')).toHaveLength(2 * times)
  expect(await findOpen(agreement.id)).toEqual([])
})

type Fixture = Awaited<ReturnType<typeof createFixture>>
const OLD = 'https://example.com/old.pdf'
const NEW = 'https://example.com/new.pdf'
const changes: Record<string, (fixture: Fixture, successor: TestUser) => Promise<TestResponse>> = {
  'another document': ({ owner, path }) => owner.patch(path, { document_url: NEW }),
  'a deletion': ({ owner, path }) => owner.delete(path),
  'another tenant': ({ owner, path }, { id }) => owner.patch(path, { tenant_ids: [id] }),
}

test.each([
  ['another document', 200, 'PENDING'],
  ['a deletion', 404, undefined],
  ['another tenant', 403, 'DRAFT'],
])('%s before the provider’s response is stored: the signing answers %d', async (name, expected, end) => {
  const fixture = await createFixture({ document_url: OLD })
  const { owner, tenant, agreement, getAgreement } = fixture
  const successor = await signInUser(server)
  const before = provider.creates().length
  const release = await holdSigning(owner, agreement, tenant)

  const change = () => changes[name]!(fixture, successor)
  const [changed, sent] = await queue(lockRow('agreements', agreement.id), [change, release])

  expect([changed!.status, sent!.status]).toEqual([200, expected])
  expect((await getAgreement())?.status).toBe(end as never)
  const [outdated, ...others] = provider.creates().slice(before)
  expect(provider.of(outdated!.body.documentId).cancelled).toBe(true)
  expect(others.map(({ body }) => body.documentUrl)).toEqual(expected === 200 ? [NEW] : [])
  expect(await findOpen(agreement.id)).toHaveLength(expected === 200 ? 1 : 0)
})

test.each(Object.keys(changes))('403: %s after the provider’s response is stored', async name => {
  const fixture = await createFixture({ document_url: OLD })
  const { owner, tenant, agreement, getAgreement } = fixture
  const release = await holdSigning(owner, agreement, tenant)

  const change = () => changes[name]!(fixture, owner)
  const [sent, changed] = await queue(lockRow('agreements', agreement.id), [release, change])

  expect([sent!.status, changed!.status]).toEqual([200, 403])
  expect(await getAgreement()).toMatchObject({
    status: 'PENDING',
    document_url: OLD,
    tenant_ids: [tenant.id],
  })
})

test('two changes of a draft at once both count, though the first moves it to another unit', async () => {
  const { owner, agreement, path, getAgreement } = await createFixture()
  const { unit } = await createUnit(owner)

  const responses = await queue(lockRow('agreements', agreement.id), [
    () => owner.patch(path, { property_unit_id: unit.id }),
    () => owner.patch(path, { rent_amount: 1 }),
  ])

  expect(toStatuses(responses)).toEqual([200, 200])
  expect(await getAgreement()).toMatchObject({ property_unit_id: unit.id, rent_amount: 1 })
})

test('400: of two overlapping agreements that are signed at once, one is refused', async () => {
  const { owner, tenant, agreement, unit, getAgreement } = await createFixture()
  const { data: other } = await owner.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const releases = [await holdSigning(owner, agreement, tenant), await holdSigning(owner, other, tenant)]

  const responses = await queue(lockRow('property_units', unit.id), releases)

  expect(responses.map(({ status, error }) => [status, error?.reason])).toEqual([
    [200, undefined],
    [400, 'unit_overlap'],
  ])
  expect((await getAgreement()).status).toBe('PENDING')
  expect((await owner.get(`/agreements/${other.id}`)).data.status).toBe('DRAFT')
  expect(provider.of(provider.creates().at(-1)!.body.documentId).cancelled).toBe(true)
})

test('agreements that are created at once get different numbers', async () => {
  const { owner, tenant } = await createFixture()
  const units = [await createUnit(owner), await createUnit(owner)]

  const created = await queue(
    db => db.selectFrom('agreement_counters').where('landlord_id', '=', owner.id).forUpdate().execute(),
    units.map(
      ({ unit }) =>
        () =>
          owner.post('/agreements', agreementTerms(unit.id, [tenant.id])),
    ),
  )

  const numbers: string[] = created.map(({ data }) => data.agreement_number)
  expect(numbers.map(number => number.slice(-6))).toEqual(['000002', '000003'])
})

test('a tenant who is created by two at once is one user', async () => {
  const landlords = [await signInUser(server), await signInUser(server)]
  const phone_number = freshPhone()

  const created = await queue(
    db =>
      db
        .insertInto('users')
        .values({ phone: phone_number, ...toTimestamps() })
        .execute(),
    landlords.map(landlord => () => landlord.post('/tenants', { phone_number })),
  )

  expect(toStatuses(created)).toEqual([201, 201])
  expect(created[0]!.data.id).toBe(created[1]!.data.id)
})
