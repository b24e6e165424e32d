import { describe, expect, test } from 'bun:test'
import { refuse } from '../../../server/faults'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { interrupt, waitForLocks } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { agreementTerms, completeSigning, createUnit, signInUser, type TestUser } from '../../support/users'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Limits are twenty times as high with the sandbox channel. */
const MAX = 20

const time = clock()
const reminded: string[] = []
const unreachable = new Set<string>()
const sendReminder = async (phone: string) => {
  if (unreachable.has(phone)) throw refuse('provider_unreachable', { provider: 'messaging' })
  reminded.push(phone)
}
const server = testServer({
  env: {
    STRANGER_AGREEMENT_LIMIT: '1',
    STRANGER_REQUEST_LIMIT: '1',
    STRANGER_REMINDER_LIMIT: '1',
    REMINDER_LIMIT_PER_PHONE: '1',
  },
  overrides: { now: time.now, sendReminder },
})

type Person = Pick<TestUser, 'id'>
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sends the reminders that are due then, and returns how many a person has had. */
async function remindAfter(ms: number, { phone }: TestUser) {
  time.advance(ms)
  await sendReminders(server.deps)
  return reminded.filter(each => each === phone).length
}

async function createLandlordWithUnit() {
  const landlord = await signInUser(server)
  const { unit, path } = await createUnit(landlord)
  const draft = (tenants: Person[], changes = {}) => {
    const ids = tenants.map(({ id }) => id)
    return landlord.post('/agreements', agreementTerms(unit.id, ids, changes))
  }
  return { landlord, unit, path, draft }
}

async function createFullLandlord() {
  const owned = await createLandlordWithUnit()
  const stranger = await signInUser(server)
  const drafts = []
  for (const _ of times(MAX)) drafts.push((await owned.draft([stranger])).data)
  return { ...owned, stranger, drafts }
}

const refusal = (stranger: Person) => ({
  status: 400,
  error: {
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining(`must not name ${stranger.id} again`),
    details: [expect.objectContaining({ property: 'tenant_ids' })],
  },
})

describe('400: one more open agreement of a landlord with a person who has never signed for them', () => {
  test('that is new', async () => {
    const { draft, stranger } = await createFullLandlord()
    const known = await signInUser(server)
    expect(await draft([known, stranger])).toMatchObject(refusal(stranger))
    expect((await draft([known])).status).toBe(201)
  })

  test('that is changed to name the person', async () => {
    const { landlord, draft, stranger } = await createFullLandlord()
    const known = await signInUser(server)
    const { data: other } = await draft([known])
    const path = `/agreements/${other.id}`
    const tenant_ids = [known.id, stranger.id]
    expect(await landlord.patch(path, { tenant_ids })).toMatchObject(refusal(stranger))
    expect((await landlord.get(path)).data.tenant_ids).toEqual([known.id])
  })

  test('that the manager creates', async () => {
    const { landlord, unit, path, stranger } = await createFullLandlord()
    const manager = await signInUser(server)
    await landlord.patch(path, { managed_by_id: manager.id })
    expect(await manager.post('/agreements', agreementTerms(unit.id, [stranger.id]))).toMatchObject(
      refusal(stranger),
    )
  })

  test('that is created at the same time as another one', async () => {
    const { landlord, draft, drafts, stranger } = await createFullLandlord()
    await landlord.delete(`/agreements/${drafts[0].id}`)
    const answers = await interrupt(server, {
      lock: tx => tx.selectFrom('users').where('id', '=', landlord.id).select('id').forUpdate().execute(),
      // The counter of numbers would make them wait for each other.
      start: () => Promise.all(['A', 'B'].map(agreement_number => draft([stranger], { agreement_number }))),
      meanwhile: () => waitForLocks(server, 2),
    })
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })
})

describe('does not count', () => {
  test('an agreement of another landlord', async () => {
    const { stranger } = await createFullLandlord()
    const { draft } = await createLandlordWithUnit()
    expect((await draft([stranger])).status).toBe(201)
  })

  test('a draft that is deleted, or a change that names the same persons', async () => {
    const { landlord, draft, drafts, stranger } = await createFullLandlord()
    const same = await landlord.patch(`/agreements/${drafts[0].id}`, { tenant_ids: [stranger.id] })
    expect(same.status).toBe(200)
    await landlord.delete(`/agreements/${drafts[0].id}`)
    expect((await draft([stranger])).status).toBe(201)
  })

  test('an agreement that has ended, unlike one that is being signed', async () => {
    const { landlord, draft, drafts, stranger } = await createFullLandlord()
    const path = `/agreements/${drafts[0].id}`
    await completeSigning(landlord, drafts[0].id, landlord.id)
    expect(await draft([stranger])).toMatchObject(refusal(stranger))
    await landlord.post(`${path}/terminate`)
    expect((await draft([stranger])).status).toBe(201)
  })

  test('any agreement once the person has signed for the landlord', async () => {
    const { draft, drafts, stranger } = await createFullLandlord()
    await completeSigning(stranger, drafts[0].id, stranger.id)
    expect((await draft([stranger])).status).toBe(201)
  })
})

describe('requests to a person who has never signed for the landlord', () => {
  /** Asks, cancels and asks again, which shows in the person's feed each time. */
  async function ask(landlord: TestUser, id: number, signer: TestUser) {
    const { status, headers, data } = await landlord.post(`/agreements/${id}/sign`, { signer_id: signer.id })
    if (data) await landlord.post(`/agreements/${id}/signatures/${data.signature_id}/cancel`)
    return { status, retryAfterS: Number(headers.get('retry-after')) }
  }

  test('429: one more a day; the person can still start their own signing', async () => {
    const { landlord, draft } = await createLandlordWithUnit()
    const stranger = await signInUser(server)
    const { data } = await draft([stranger])
    for (const _ of times(MAX)) expect((await ask(landlord, data.id, stranger)).status).toBe(200)

    expect(await ask(landlord, data.id, stranger)).toEqual({ status: 429, retryAfterS: DAY_MS / 1000 })
    expect((await ask(landlord, data.id, landlord)).status).toBe(200)
    await completeSigning(stranger, data.id, stranger.id)
    const { unit } = await createUnit(landlord)
    const { data: next } = await landlord.post('/agreements', agreementTerms(unit.id, [stranger.id]))
    expect((await ask(landlord, next.id, stranger)).status).toBe(200)
  })
})

test('the landlord is no stranger: a manager asks for that signature as often as needed', async () => {
  const { landlord, unit, path } = await createLandlordWithUnit()
  const [manager, tenant] = [await signInUser(server), await signInUser(server)]
  await landlord.patch(path, { managed_by_id: manager.id })
  const { data } = await manager.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  for (const _ of times(MAX + 1)) {
    const { status, data: asked } = await manager.post(`/agreements/${data.id}/sign`, {
      signer_id: landlord.id,
    })
    expect(status).toBe(200)
    await manager.post(`/agreements/${data.id}/signatures/${asked.signature_id}/cancel`)
  }
})

test('reminders to a stranger are limited a day, over all landlords, and the others come later', async () => {
  const stranger = await signInUser(server)
  for (const _ of times(MAX + 2)) {
    const { landlord, draft } = await createLandlordWithUnit()
    const { data } = await draft([stranger])
    await landlord.post(`/agreements/${data.id}/sign`, { signer_id: stranger.id })
  }

  expect(await remindAfter(DAY_MS + 1, stranger)).toBe(MAX)
  expect(await remindAfter(DAY_MS, stranger)).toBe(MAX + 2)
})

test('reminders of one landlord to the same phone are limited a day, also after a signature', async () => {
  const { landlord, draft } = await createLandlordWithUnit()
  const signer = await signInUser(server)
  await completeSigning(signer, (await draft([signer])).data.id, signer.id)
  for (const _ of times(MAX + 2)) {
    const { unit } = await createUnit(landlord)
    const { data } = await landlord.post('/agreements', agreementTerms(unit.id, [signer.id]))
    await landlord.post(`/agreements/${data.id}/sign`, { signer_id: signer.id })
  }

  expect(await remindAfter(DAY_MS + 1, signer)).toBe(MAX)
  expect(await remindAfter(DAY_MS, signer)).toBe(MAX + 2)
})

test('a reminder that failed does not count towards the limits', async () => {
  const { landlord, draft } = await createLandlordWithUnit()
  const stranger = await signInUser(server)
  const { data } = await draft([stranger])
  await landlord.post(`/agreements/${data.id}/sign`, { signer_id: stranger.id })
  unreachable.add(stranger.phone)
  expect(await remindAfter(DAY_MS + 1, stranger)).toBe(0)
  for (const _ of times(MAX)) expect(await remindAfter(HOUR_MS, stranger)).toBe(0)
  unreachable.delete(stranger.phone)

  expect(await remindAfter(HOUR_MS, stranger)).toBe(1)
})
