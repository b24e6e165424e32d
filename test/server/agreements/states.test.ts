import { describe, expect, test } from 'bun:test'
import type { AgreementStatus } from '@kiraya/sdk/contract'
import { getKysely } from '../../../db/database'
import {
  haveAllSigned,
  isEditable,
  isSignable,
  canTransition,
  supersedes,
  getSignerRole,
} from '../../../server/agreements/states'
import {
  createDraft,
  createPendingAgreement,
  completeSigning,
  signInUser,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { clock, testServer, startTestServer } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { answered } from './shapes'

const statuses = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'] as const
const seen = ({ status, body }: TestResponse) => [status, body]
const server = testServer()
const legal = [
  'DRAFT PENDING',
  'PENDING ACTIVE',
  'PENDING TERMINATED',
  'ACTIVE TERMINATED',
  'TERMINATED COMPLETED',
]
for (const from of statuses)
  for (const to of statuses) {
    test(`${from} ${legal.includes(`${from} ${to}`) ? 'can' : 'cannot'} become ${to}`, () => {
      expect(canTransition(from, to)).toBe(legal.includes(`${from} ${to}`))
    })
  }

test('only a DRAFT is editable; only DRAFT and PENDING are signable', () => {
  expect(statuses.filter(isEditable)).toEqual(['DRAFT'])
  expect(statuses.filter(isSignable)).toEqual(['DRAFT', 'PENDING'])
})

test('of two reports the higher wins: SIGNED, DECLINED, EXPIRED, PENDING', () => {
  const order = ['PENDING', 'EXPIRED', 'DECLINED', 'SIGNED'] as const
  for (const [above, reported] of order.entries())
    for (const [below, known] of order.entries())
      expect([reported, known, supersedes(reported, known)]).toEqual([reported, known, above > below])
})

test('parties have roles, and all have signed when every tenant and the landlord’s side have', () => {
  const parties = { landlord_id: 1, manager_id: 2, tenant_ids: [3, 4] }
  expect([1, 2, 3, 4, 5].map(id => getSignerRole(parties, id))).toEqual([
    'LANDLORD',
    'MANAGER',
    'TENANT',
    'TENANT',
    undefined,
  ])
  for (const [signed, all] of [
    [[], false],
    [[1], false],
    [[3, 4], false],
    [[1, 3], false],
    [[1, 3, 4], true],
    [[2, 3, 4], true],
    [[1, 2, 3, 4], true],
    [[1, 2], false],
  ] as const)
    expect([signed, haveAllSigned(parties, new Set(signed))]).toEqual([signed, all])
  expect(haveAllSigned({ ...parties, manager_id: null }, new Set([2, 3, 4]))).toBe(false)
})

/** An agreement in a status, by the requests that lead there. */
async function createInStatus(status: AgreementStatus) {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const made = await createDraft(owner, [tenant])
  const path = `/agreements/${made.agreement.id}`
  if (status !== 'DRAFT') await owner.call('POST', `${path}/sign`, { signer_id: tenant.id })
  if (status === 'ACTIVE' || status === 'TERMINATED' || status === 'COMPLETED')
    for (const each of [owner, tenant]) await completeSigning(owner, made.agreement.id, each.id)
  if (status === 'TERMINATED' || status === 'COMPLETED') await owner.call('POST', `${path}/terminate`, {})
  if (status === 'COMPLETED') await owner.call('POST', `${path}/complete`)
  return { owner, tenant, ...made, path, get: async () => (await owner.call('GET', path)).body.data }
}

type Made = Awaited<ReturnType<typeof createInStatus>>
const operations: Record<
  string,
  { run: (person: TestUser, made: Made) => Promise<TestResponse>; from: readonly AgreementStatus[] }
> = {
  change: { run: (person, { path }) => person.call('PATCH', path, { rent_amount: 1 }), from: ['DRAFT'] },
  'change nothing': { run: (person, { path }) => person.call('PATCH', path, {}), from: ['DRAFT'] },
  delete: { run: (person, { path }) => person.call('DELETE', path), from: ['DRAFT'] },
  sign: {
    run: (person, { path, owner }) => person.call('POST', `${path}/sign`, { signer_id: owner.id }),
    from: ['DRAFT', 'PENDING'],
  },
  terminate: {
    run: (person, { path }) => person.call('POST', `${path}/terminate`, {}),
    from: ['PENDING', 'ACTIVE'],
  },
  complete: { run: (person, { path }) => person.call('POST', `${path}/complete`, {}), from: ['TERMINATED'] },
}

const after: Record<string, AgreementStatus> = {
  sign: 'PENDING',
  terminate: 'TERMINATED',
  complete: 'COMPLETED',
}

for (const [name, { run, from }] of Object.entries(operations)) {
  describe(name, () => {
    for (const status of statuses) {
      if (from.includes(status)) {
        test(`200: allowed in ${status}`, async () => {
          const made = await createInStatus(status)
          expect(made.agreement.status).toBe('DRAFT')
          expect((await made.get()).status).toBe(status)
          expect((await run(made.owner, made)).status).toBe(200)
          if (name !== 'delete') expect((await made.get()).status).toBe(after[name] ?? status)
        })
      } else {
        test(`403: refused in ${status}; nothing changes`, async () => {
          const made = await createInStatus(status)
          const before = await made.get()
          expect(before.status).toBe(status)
          expect(seen(await run(made.owner, made))).toEqual([403, enveloped(403)])
          expect((await run(made.tenant, made)).status).toBe(403)
          expect(await made.get()).toEqual(before)
        })
      }
    }
  })
}

test('200: a deleted draft is gone for everyone, but stays in the database', async () => {
  const { owner, tenant, path, agreement } = await createInStatus('DRAFT')
  expect(seen(await owner.call('DELETE', path))).toEqual([
    200,
    { success: true, message: expect.any(String), data: { message: expect.any(String) } },
  ])
  for (const person of [owner, tenant]) {
    expect((await person.call('GET', path)).status).toBe(404)
    expect((await person.call('GET', '/agreements')).body.metadata.total).toBe(0)
  }
  expect(
    await getKysely(server.em())
      .selectFrom('agreements')
      .where('id', '=', agreement.id)
      .select(['is_active', 'status'])
      .execute(),
  ).toEqual([{ is_active: false, status: 'DRAFT' }])
})

const time = clock(new Date('2026-06-15T18:29:59Z'))
const dated = testServer({ overrides: { now: time.now } })
async function pending() {
  const owner = await signInUser(dated.url)
  const tenant = await signInUser(dated.url)
  const { agreement } = await createDraft(owner, [tenant], { agreement_start_date: '2026-01-01' })
  await getKysely(dated.em())
    .updateTable('agreements')
    .set({ status: 'ACTIVE' })
    .where('id', '=', agreement.id)
    .execute()
  return {
    owner,
    tenant,
    agreement,
    end: (body?: unknown) => owner.call('POST', `/agreements/${agreement.id}/terminate`, body),
  }
}

test('200: a termination is dated today in India by default, with or without a body', async () => {
  for (const body of [undefined, {}, { termination_date: null, reason: null }]) {
    const { agreement, end } = await pending()
    expect(seen(await end(body))).toEqual([
      200,
      answered({
        ...agreement,
        status: 'TERMINATED',
        termination_date: '2026-06-15',
        termination_reason: null,
        updated_at: expect.any(String),
      }),
    ])
  }
})

test('200: a termination can be dated from the start of the agreement to today, with a reason', async () => {
  for (const termination_date of ['2026-06-15', '2026-06-14', '2026-01-01'])
    expect((await (await pending()).end({ termination_date, reason: 'Moved out' })).body.data).toMatchObject({
      status: 'TERMINATED',
      termination_date,
      termination_reason: 'Moved out',
    })
})

test('400: a termination cannot be dated before the start of the agreement', async () => {
  for (const termination_date of ['2025-12-31', '1999-01-01']) {
    const { end, owner, agreement } = await pending()
    expect(seen(await end({ termination_date }))).toEqual([400, broken('termination_date')])
    expect((await owner.get(`/agreements/${agreement.id}`)).data.status).toBe('ACTIVE')
  }
})

test('200: a lease that has not begun ends today; no other date is possible', async () => {
  const owner = await signInUser(dated.url)
  const { path } = await createPendingAgreement(owner, [await signInUser(dated.url)])
  expect(seen(await owner.post(`${path}/terminate`, { termination_date: '2026-06-15' }))).toEqual([
    400,
    broken('termination_date'),
  ])
  expect((await owner.post(`${path}/terminate`)).data.termination_date).toBe('2026-06-15')
})

test('400: a termination cannot be dated tomorrow in India; a second later that is today', async () => {
  const own = clock(new Date('2026-06-15T18:29:59Z'))
  const other = await startTestServer({ overrides: { now: own.now } })
  try {
    const owner = await signInUser(other.url)
    const tenant = await signInUser(other.url)
    const { agreement } = await createDraft(owner, [tenant], { agreement_start_date: '2026-01-01' })
    await getKysely(other.em())
      .updateTable('agreements')
      .set({ status: 'ACTIVE' })
      .where('id', '=', agreement.id)
      .execute()
    const end = (termination_date: string) =>
      owner.call('POST', `/agreements/${agreement.id}/terminate`, { termination_date })
    for (const day of ['2026-06-16', '2027-01-01', '2199-12-31'])
      expect([day, ...seen(await end(day))]).toEqual([day, 400, broken('termination_date')])
    own.advance(1000)
    expect((await end('2026-06-16')).status).toBe(200)
  } finally {
    await other.end()
  }
})

for (const [field, values] of Object.entries({
  termination_date: ['', '2026-02-30', '15-06-2026', 1, {}, '0000-01-01', 'today'],
  reason: ['', 1, 'x'.repeat(5001), 'a\0'],
})) {
  test(`400: ${field} of a termination cannot be ${JSON.stringify(values).slice(0, 60)}`, async () => {
    const { end } = await pending()
    for (const value of values)
      expect([value, ...seen(await end({ [field]: value }))]).toEqual([value, 400, broken(field)])
  })
}

test('200: a termination ignores fields of the server', async () => {
  expect(
    (
      await (
        await pending()
      ).end({ status: 'COMPLETED', signed_date: '2020-01-01', agreement_end_date: '2020-01-01' })
    ).body.data,
  ).toMatchObject({ status: 'TERMINATED', signed_date: null, agreement_end_date: '2026-11-30' })
})

test('every transition is an activity of landlord, manager and tenants, without phone numbers', async () => {
  const { owner, tenant, agreement } = await createInStatus('COMPLETED')
  const told = await getKysely(server.em())
    .selectFrom('activities')
    .where('entity_type', '=', 'agreement')
    .where('entity_id', '=', agreement.id)
    .orderBy('id')
    .select(['user_id', 'type', 'message'])
    .execute()
  const types = (person: TestUser) =>
    told.filter(({ user_id }) => user_id === person.id).map(({ type }) => type)
  expect(types(owner)).toEqual([
    'agreement_created',
    'agreement_sent',
    'agreement_sent',
    'agreement_signed',
    'agreement_signed',
    'agreement_activated',
    'agreement_terminated',
    'agreement_completed',
  ])
  expect(types(tenant)).toEqual(types(owner).slice(1))
  for (const { message } of told) expect(message).not.toMatch(/\d{10}/)
})
