import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { getKysely } from '../../db/database'
import { findTenantIds } from '../../server/agreements/access'
import { canTransition } from '../../server/agreements/states'
import { Agreement } from '../../db/entities'
import { sendRequest, createDraft, signInUser, type TestResponse, type TestUser } from '../support/users'
import { testServer } from '../support/server'
import { signingProvider, start } from '../server/agreements/signing/provider'
import { runJobs } from './jobs'

// Anything done to one agreement by anybody at once: what was acknowledged can be put into one legal order, and that is its timeline.
// A failure prints its seed; SEED=… brings the same histories again, though not the same timing.
const FULL = process.env.FAULTS === 'full'
const HISTORIES = FULL ? 500 : 30
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const provider = signingProvider()
const it = testServer({ env: provider.env, poolSize: 25 })

const whom = fc.constantFrom('owner' as const, 'tenant' as const, 'other' as const)
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('sign' as const), signer: whom, byThemselves: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('news' as const),
      signer: whom,
      outcome: fc.constantFrom(
        'SIGNED' as const,
        'SIGNED' as const,
        'SIGNED' as const,
        'DECLINED' as const,
        'EXPIRED' as const,
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('patch' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constantFrom('delete' as const, 'terminate' as const, 'revise' as const, 'complete' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('cancel' as const), signer: whom }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never
/** What comes in one wave is done at once; the next begins when all of it has been answered. */
const history = fc.record({
  waves: fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  tenants: fc.constantFrom(1, 2),
  ahead: fc.oneof(fc.constant(0), fc.nat(7)),
})
/** How an agreement comes to its end when nothing is in the way; a history begins so many steps ahead. */
const steps = ({ tenants }: { tenants: number }): Operation[] => [
  ...(['owner', 'tenant', 'other'] as const).slice(0, 1 + tenants).flatMap((signer): Operation[] => [
    { is: 'sign', signer, byThemselves: true },
    { is: 'news', signer, outcome: 'SIGNED' },
  ]),
  { is: 'terminate' },
]

type State = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED' | 'GONE'
const stays = (state: State, ...types: string[]) => Object.fromEntries(types.map(type => [type, state]))
const news = ['viewed', 'signed', 'declined', 'expired', 'cancelled']
/** The model: what may be written into the timeline in a state, and the state after it. News of a signature may come late. */
const legal: Record<State, Record<string, State>> = {
  DRAFT: { ...stays('DRAFT', 'changed'), deleted: 'GONE', sent: 'PENDING' },
  PENDING: {
    ...stays('PENDING', 'sent', 'reissued', ...news),
    activated: 'ACTIVE',
    terminated: 'TERMINATED',
    revised: 'TERMINATED',
  },
  ACTIVE: {
    ...stays('ACTIVE', 'signed', 'expired', 'declined', 'document_stored'),
    terminated: 'TERMINATED',
  },
  TERMINATED: {
    ...stays('TERMINATED', 'signed', 'expired', 'declined', 'document_stored'),
    completed: 'COMPLETED',
  },
  COMPLETED: stays('COMPLETED', 'signed', 'expired', 'declined', 'document_stored'),
  GONE: {},
}
/** What an operation's answer says of a state in which the agreement was while it was being worked on. */
const seenIn: Partial<Record<Operation['is'], Record<number, State[]>>> = {
  patch: { 200: ['DRAFT'], 403: ['PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  delete: { 200: ['DRAFT'], 403: ['PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  terminate: { 200: ['PENDING', 'ACTIVE'], 403: ['DRAFT', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  revise: { 201: ['PENDING'], 403: ['DRAFT', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  complete: { 200: ['TERMINATED'], 403: ['DRAFT', 'PENDING', 'ACTIVE', 'COMPLETED'], 404: ['GONE'] },
  sign: {
    200: ['DRAFT', 'PENDING'],
    400: ['PENDING'],
    403: ['ACTIVE', 'TERMINATED', 'COMPLETED'],
    404: ['GONE'],
  },
}
/** Which event an acknowledged operation left. */
const leaves: Partial<Record<Operation['is'], string>> = {
  patch: 'changed',
  delete: 'deleted',
  terminate: 'terminated',
  revise: 'revised',
  complete: 'completed',
}

const ends: Record<string, number> = {}
const done: Record<string, number> = {}
let people: Record<'owner' | 'tenant' | 'other', TestUser>
let drawn = 0

async function run({ waves, tenants, ahead }: { waves: Operation[][]; tenants: number; ahead: number }) {
  const parties = tenants === 1 ? { owner: people.owner, tenant: people.tenant } : people
  const { owner } = people
  const document_url = `https://example.com/${++drawn}.pdf`
  const { agreement } = await createDraft(
    owner,
    Object.values(parties).filter(person => person !== owner),
    { document_url },
  )
  const path = `/agreements/${agreement.id}`
  const db = getKysely(it.em())
  const eventsOf = () =>
    db
      .selectFrom('agreement_events')
      .where('agreement_id', '=', agreement.id)
      .orderBy('position')
      .selectAll()
      .execute()
  const latestOf = (signer: TestUser) =>
    db
      .selectFrom('agreement_signatures')
      .where('agreement_id', '=', agreement.id)
      .where('signer_id', '=', signer.id)
      .where('provider_request_id', 'is not', null)
      .orderBy('id', 'desc')
      .select(['signature_id', 'status'])
      .executeTakeFirst()
  let changes = 0
  const act = async (
    asked: Operation,
  ): Promise<{ asked: Operation; answer?: TestResponse; rent?: number }> => {
    switch (asked.is) {
      case 'sign':
        return {
          asked,
          answer: await start(
            asked.byThemselves ? people[asked.signer] : owner,
            agreement,
            people[asked.signer],
          ),
        }
      case 'patch': {
        const rent = 30_000 + ++changes
        return {
          asked,
          rent,
          answer: await owner.call('PATCH', path, {
            rent_amount: rent,
            document_url: `${document_url}?${rent}`,
          }),
        }
      }
      case 'delete':
        return { asked, answer: await owner.call('DELETE', path) }
      case 'cancel': {
        const signature = await latestOf(people[asked.signer])
        return {
          asked,
          answer:
            signature && (await owner.call('POST', `${path}/signatures/${signature.signature_id}/cancel`)),
        }
      }
      case 'news': {
        // Nobody signs what was cancelled or is over.
        const signature = await latestOf(people[asked.signer])
        const request = signature && provider.of(signature.signature_id)
        if (!request || request.cancelled || request.signerStatus !== 'pending') return { asked }
        const how = {
          SIGNED: ['ESIGN_COMPLETE', 'sign_complete', 'signed', null],
          DECLINED: ['ESIGN_FAILED', 'sign_pending', 'in_error', 'signer_declined'],
          EXPIRED: ['ESIGN_EXPIRED', 'sign_expired', 'expired', null],
        } as const
        const [event, status, signerStatus, errCode] = how[asked.outcome]
        provider.becomes(request.documentId, { status, signerStatus, errCode })
        return { asked, answer: await provider.webhook(it.url, provider.news(event, request, { errCode })) }
      }
      default:
        return { asked, answer: await owner.call('POST', `${path}/${asked.is}`, {}) }
    }
  }

  let known = 1
  let reached: State = 'DRAFT'
  let rents = [25_000]
  for (const wave of [
    ...steps({ tenants })
      .slice(0, ahead)
      .map(step => [step]),
    ...waves,
  ]) {
    const results = await Promise.all(wave.map(act))
    const added = (await eventsOf()).slice(known)
    const visited: State[] = [reached]
    for (const { type } of added) {
      const next: State | undefined = legal[reached][type]
      expect([reached, type, next]).toEqual([reached, type, expect.any(String)])
      if (next !== reached && next !== 'GONE')
        expect([reached, next, canTransition(reached as never, next as never)]).toEqual([reached, next, true])
      reached = next!
      visited.push(reached)
    }
    known += added.length
    for (const { asked, answer } of results) {
      if (!answer) continue
      done[`${asked.is} ${answer.status}`] = (done[`${asked.is} ${answer.status}`] ?? 0) + 1
      expect([asked.is, answer.status < 500, answer.status < 500 || answer.body]).toEqual([
        asked.is,
        true,
        true,
      ])
      const isStranger = asked.is === 'sign' && !(asked.signer in parties)
      const states = isStranger ? undefined : seenIn[asked.is]
      if (isStranger)
        expect(answer.status).toBe(
          asked.byThemselves ? 404 : visited.includes('GONE') && answer.status === 404 ? 404 : 403,
        )
      // An answer is true of a state in which the agreement was in this wave.
      if (states)
        expect([
          asked,
          answer.status,
          visited,
          states[answer.status]?.some(state => visited.includes(state)),
        ]).toEqual([asked, answer.status, visited, true])
    }
    for (const [is, type] of Object.entries(leaves)) {
      const acknowledged = results.filter(
        ({ asked, answer }) => asked.is === is && answer && answer.status < 300,
      ).length
      expect([type, added.filter(event => event.type === type).length]).toEqual([type, acknowledged])
    }
    const changed = results
      .filter(({ asked, answer }) => asked.is === 'patch' && answer?.status === 200)
      .map(({ rent }) => rent!)
    if (changed.length) rents = changed
    for (const { asked, answer } of results)
      if (asked.is === 'sign' && answer?.status === 200)
        expect(
          (await eventsOf()).filter(
            ({ type, details }) =>
              /sent|reissued/.test(type) && details.signature_id === answer.body.data.signature_id,
          ).length,
        ).toBe(1)
  }

  await runJobs(it.deps)
  const events = await eventsOf()
  const found = await it.em().findOneOrFail(Agreement, { id: agreement.id }, { filters: false })
  const state = events.slice(1).reduce<State | undefined>((at, { type }) => at && legal[at][type], 'DRAFT')
  expect([events.map(({ type }) => type), state]).toEqual([
    events.map(({ type }) => type),
    found.is_active ? found.status : 'GONE',
  ])
  ends[state!] = (ends[state!] ?? 0) + 1

  const left = await owner.call('GET', `${path}/timeline`)
  expect([state, left.status]).toEqual([state, state === 'GONE' ? 404 : 200])
  if (state !== 'GONE')
    expect([events.map(({ type }) => type), left.body.data.intact]).toEqual([
      events.map(({ type }) => type),
      true,
    ])

  // ACTIVE once, at the moment when the last of the parties has signed, and at no other.
  const ids = [owner.id, ...(await findTenantIds(it.deps.db, found))]
  const signed = new Set<number>()
  let at: State = 'DRAFT'
  for (const [index, { type, details }] of events.slice(1).entries()) {
    if (type === 'signed') signed.add(details.signer_id as number)
    const isDue = at === 'PENDING' && type === 'signed' && ids.every(id => signed.has(id))
    if (isDue)
      expect(events.slice(index + 2).find(event => event.type !== 'cancelled')?.type).toBe('activated')
    if (type === 'activated') expect(ids.every(id => signed.has(id))).toBe(true)
    at = legal[at][type]!
  }
  expect(events.filter(({ type }) => type === 'activated').length).toBeLessThanOrEqual(1)

  // The last change that was acknowledged stands, whole, and whoever was asked was given that and nothing else.
  expect(rents).toContain(Number(found.rent_amount))
  expect(found.document_url).toBe(
    Number(found.rent_amount) === 25_000 ? document_url : `${document_url}?${Number(found.rent_amount)}`,
  )
  const asked = new Set(
    events.flatMap(({ type, details }) => (/sent|reissued/.test(type) ? [details.signature_id] : [])),
  )
  for (const { body } of provider.calls.filter(({ body }) => asked.has(body?.documentId)))
    expect(body.documentUrl).toBe(found.document_url)

  // What is over is open nowhere, and what was taken back was cancelled.
  const open = await db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .where('status', '=', 'PENDING')
    .select('signature_id')
    .execute()
  if (state !== 'PENDING') expect(open).toEqual([])
  const requests = [...provider.kept.values()].filter(request =>
    provider.calls.some(
      ({ body }) =>
        body?.documentId === request.documentId && String(body.documentUrl).startsWith(document_url),
    ),
  )
  for (const request of requests)
    if (!open.some(({ signature_id }) => signature_id === request.documentId))
      expect([request.signerStatus, request.cancelled || request.signerStatus !== 'pending']).toEqual([
        request.signerStatus,
        true,
      ])
  expect(
    await db.selectFrom('agreements').where('revises_id', '=', agreement.id).select('status').execute(),
  ).toEqual(events.filter(({ type }) => type === 'revised').map(() => ({ status: 'DRAFT' as const })))
}

test(
  `random concurrent histories of an agreement are legal (seed ${seed})`,
  async () => {
    const [owner, tenant, other] = await Promise.all([
      signInUser(it.url),
      signInUser(it.url),
      signInUser(it.url),
    ])
    const began = performance.now()
    people = { owner, tenant, other }
    await Promise.all(Array.from({ length: 25 }, () => sendRequest(it.url, 'GET', '/health/ready')))
    // A request that has been signed or declined cannot be cancelled.
    provider.replies.cancel = request => {
      const found = provider.kept.get(request.url.split('/').at(-3) ?? '')
      if (found?.signerStatus === 'pending') found.cancelled = true
      return new Response(null, { status: !found ? 404 : found.cancelled ? 204 : 400 })
    }
    await fc.assert(fc.asyncProperty(history, run), { seed, numRuns: HISTORIES, endOnFailure: true })
    console.log(
      JSON.stringify({
        promise: 'races of agreements',
        histories: HISTORIES,
        ends,
        answers: done,
        seed,
        seconds: Math.round((performance.now() - began) / 1000),
      }),
    )
    if (FULL)
      expect(Object.keys(ends)).toEqual(
        expect.arrayContaining(['GONE', 'DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED']),
      )
  },
  FULL ? 900_000 : 60_000,
)
