import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { loadLockedAgreement } from '../../../server/leases/access'
import { canTransition } from '../../../server/leases/states'
import { Agreement } from '../../../db/entities'
import { sendRequest, createDraft, signInUser, type TestResponse, type TestUser } from '../../support/users'
import { testServer, type TestServer } from '../../support/server'
import { signingProvider, start } from './signing/provider'
import {
  entryByKind,
  history,
  listUndisturbedSteps,
  statesByStatus,
  transitions,
  webhooks,
  type History,
  type Operation,
  type State,
} from './history-model'
import { runJobs } from '../../support/jobs'
import { chooseSeed } from '../../support/random'
import { report, runTogether } from '../../support/round'

// Random concurrent operations on one agreement: the acknowledged ones have a legal order, which is the timeline.
// A failure prints its seed; SEED=… repeats the same histories, but not the same timing.
const seed = chooseSeed()
const ENDS: State[] = ['GONE', 'DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED']
/** So many operations of a wave meet in the database. */
const POOL_SIZE = 25
const finalStates: Record<string, number> = {}
const responseCounts: Record<string, number> = {}
let provider: ReturnType<typeof signingProvider>
let server: TestServer
let people: Record<'owner' | 'tenant' | 'other', TestUser>
let agreements = 0

type Run = {
  agreement: any
  path: string
  documentUrl: string
  parties: Partial<typeof people>
  state: State
  /** Entries that have been checked already. */
  checkedEntries: number
  patches: number
  /** The rents that the agreement may have. */
  rents: number[]
}
type Result = { operation: Operation; response?: TestResponse; rent?: number }

async function createRun(tenants: number): Promise<Run> {
  const { owner, ...others } = people
  const parties = tenants === 1 ? { owner, tenant: people.tenant } : people
  const documentUrl = `https://example.com/${++agreements}.pdf`
  const signers = Object.values(others).slice(0, tenants)
  const { agreement } = await createDraft(owner, signers, { document_url: documentUrl })
  const path = `/agreements/${agreement.id}`
  return {
    agreement,
    path,
    documentUrl,
    parties,
    state: 'DRAFT',
    checkedEntries: 1,
    patches: 0,
    rents: [25_000],
  }
}

function findEntries({ agreement }: Run) {
  return server.db
    .selectFrom('timeline_entries')
    .where('agreement_id', '=', agreement.id)
    .orderBy('position')
    .selectAll()
    .execute()
}
type Entry = Awaited<ReturnType<typeof findEntries>>[number]
function isRequestEntry({ type }: Entry) {
  return /sent|reissued/.test(type)
}
function findLatestSignature({ agreement }: Run, signer: TestUser) {
  return server.db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .where('signer_id', '=', signer.id)
    .where('provider_request_id', 'is not', null)
    .orderBy('id', 'desc')
    .select(['signature_id', 'status'])
    .executeTakeFirst()
}

async function patch(run: Run, operation: Operation): Promise<Result> {
  const rent = 30_000 + ++run.patches
  const body = { rent_amount: rent, document_url: `${run.documentUrl}?${rent}` }
  return { operation, rent, response: await people.owner.call('PATCH', run.path, body) }
}
async function cancel(run: Run, signer: TestUser) {
  const signature = await findLatestSignature(run, signer)
  if (!signature) return undefined
  return people.owner.call('POST', `${run.path}/signatures/${signature.signature_id}/cancel`)
}
/** Sends the outcome of a pending request; a cancelled or completed request has none. */
async function sendWebhook(run: Run, signer: TestUser, outcome: keyof typeof webhooks) {
  const signature = await findLatestSignature(run, signer)
  const request = signature && provider.of(signature.signature_id)
  if (!request || request.cancelled || request.signerStatus !== 'pending') return undefined
  const [event, status, signerStatus, errCode] = webhooks[outcome]
  provider.becomes(request.documentId, { status, signerStatus, errCode })
  return provider.webhook(server.url, provider.news(event, request, { errCode }))
}
async function runOperation(run: Run, operation: Operation): Promise<Result> {
  const { owner } = people
  switch (operation.kind) {
    case 'sign': {
      const signer = people[operation.signer]
      const caller = operation.byThemselves ? signer : owner
      return { operation, response: await start(caller, run.agreement, signer) }
    }
    case 'patch':
      return patch(run, operation)
    case 'delete':
      return { operation, response: await owner.call('DELETE', run.path) }
    case 'cancel':
      return { operation, response: await cancel(run, people[operation.signer]) }
    case 'decline':
      return { operation, response: await people[operation.signer].post(`${run.path}/decline`) }
    case 'webhook':
      return { operation, response: await sendWebhook(run, people[operation.signer], operation.outcome) }
    default:
      return { operation, response: await owner.call('POST', `${run.path}/${operation.kind}`, {}) }
  }
}

/** Applies the entries to the model; returns all states that the agreement had. */
function applyEntries(run: Run, entries: Entry[]) {
  const visited = [run.state]
  for (const { type } of entries) {
    const next = transitions[run.state][type]
    expect([run.state, type, next]).toEqual([run.state, type, expect.any(String)])
    if (next !== run.state && next !== 'GONE')
      expect([run.state, next, canTransition(run.state as never, next as never)]).toEqual([
        run.state,
        next,
        true,
      ])
    run.state = next!
    visited.push(run.state)
  }
  return visited
}
/** Requires a status that is true of one of the visited states. */
function expectLegalResponse(
  { parties }: Run,
  operation: Operation,
  response: TestResponse,
  visited: State[],
) {
  const { kind } = operation
  const { status } = response
  const key = `${kind} ${status}`
  responseCounts[key] = (responseCounts[key] ?? 0) + 1
  expect([kind, status < 500, status < 500 || response.body]).toEqual([kind, true, true])
  if (kind === 'sign' && !(operation.signer in parties)) {
    const isGone = visited.includes('GONE') && status === 404
    expect(status).toBe(operation.byThemselves || isGone ? 404 : 403)
    return
  }
  if (kind === 'decline' && !(operation.signer in parties)) {
    expect(status).toBe(404)
    return
  }
  if (isByTenant(operation) && status === 404 && visited.includes('DRAFT')) return
  const states = statesByStatus[kind]
  if (!states) return
  const isLegal = states[status]?.some(state => visited.includes(state))
  expect([operation, status, visited, isLegal]).toEqual([operation, status, visited, true])
}
/** A tenant who has declined a draft no longer sees it. */
function isByTenant(operation: Operation) {
  if (operation.kind === 'sign') return operation.byThemselves && operation.signer !== 'owner'
  return operation.kind === 'decline' && operation.signer !== 'owner'
}
function expectEntriesOfAcknowledged(results: Result[], entries: Entry[]) {
  for (const [kind, type] of Object.entries(entryByKind)) {
    const acknowledged = results.filter(
      ({ operation, response }) => operation.kind === kind && response && response.status < 300,
    )
    const found = entries.filter(entry => entry.type === type)
    expect([type, found.length]).toEqual([type, acknowledged.length])
  }
}
/** Each signature is sent once and declined once; a draft refuses a signing only after a refusal. */
async function expectEntriesOfSigning(run: Run, results: Result[]) {
  const entries = await findEntries(run)
  const refusals = entries.filter(({ type }) => type === 'declined')
  const found = { sign: entries.filter(isRequestEntry), decline: refusals }
  for (const { operation, response } of results) {
    const { kind } = operation
    if (kind !== 'sign' && kind !== 'decline') continue
    if (response?.status === 200) {
      const { signature_id } = response.body.data
      expect(found[kind].filter(({ details }) => details.signature_id === signature_id).length).toBe(1)
    }
    if (run.state !== 'DRAFT' || !(operation.signer in run.parties)) continue
    const isGone = response?.status === 404 && isByTenant(operation)
    if (isGone || (kind === 'sign' && response?.status === 400)) expect(refusals.length).toBeGreaterThan(0)
  }
}
async function runWave(run: Run, wave: Operation[]) {
  const results = await Promise.all(wave.map(operation => runOperation(run, operation)))
  const entries = (await findEntries(run)).slice(run.checkedEntries)
  const visited = applyEntries(run, entries)
  run.checkedEntries += entries.length
  for (const { operation, response } of results)
    if (response) expectLegalResponse(run, operation, response, visited)
  expectEntriesOfAcknowledged(results, entries)
  const changes = results.filter(
    ({ operation, response }) => operation.kind === 'patch' && response?.status === 200,
  )
  if (changes.length) run.rents = changes.map(({ rent }) => rent!)
  await expectEntriesOfSigning(run, results)
}

/** Requires that the timeline leads to the stored state; returns that state. */
async function expectFinalState(run: Run, entries: Entry[], agreement: Agreement) {
  const types = entries.map(({ type }) => type)
  const state = types.slice(1).reduce<State | undefined>((at, type) => at && transitions[at][type], 'DRAFT')
  expect([types, state]).toEqual([types, agreement.is_active ? agreement.status : 'GONE'])
  finalStates[state!] = (finalStates[state!] ?? 0) + 1
  const timeline = await people.owner.call('GET', `${run.path}/timeline`)
  expect([state, timeline.status]).toEqual([state, state === 'GONE' ? 404 : 200])
  if (state !== 'GONE') expect([types, timeline.body.data.intact]).toEqual([types, true])
  return state!
}
/** An agreement becomes active once, as soon as the last party has signed. */
function expectActivation(entries: Entry[], parties: number[]) {
  const signed = new Set<number>()
  const haveAllSigned = () => parties.every(id => signed.has(id))
  let state: State = 'DRAFT'
  for (const [index, { type, details }] of entries.slice(1).entries()) {
    if (type === 'signed') signed.add(details.signer_id as number)
    if (state === 'PENDING' && type === 'signed' && haveAllSigned())
      expect(entries.slice(index + 2).find(entry => entry.type !== 'cancelled')?.type).toBe('activated')
    if (type === 'activated') expect(haveAllSigned()).toBe(true)
    state = transitions[state][type]!
  }
  expect(entries.filter(({ type }) => type === 'activated').length).toBeLessThanOrEqual(1)
}
/** The last acknowledged change is stored completely, and all signers received that document. */
function expectLastChange({ rents, documentUrl }: Run, entries: Entry[], agreement: Agreement) {
  const rent = Number(agreement.rent_amount)
  expect(rents).toContain(rent)
  expect(agreement.document_url).toBe(rent === 25_000 ? documentUrl : `${documentUrl}?${rent}`)
  const requested = new Set(entries.filter(isRequestEntry).map(({ details }) => details.signature_id))
  for (const { body } of provider.calls.filter(({ body }) => requested.has(body?.documentId)))
    expect(body.documentUrl).toBe(agreement.document_url)
}
/** An agreement that is not pending has no open request, here or at the provider. */
async function expectClosedRequests({ agreement, documentUrl }: Run, state: State) {
  const open = await server.db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .where('status', '=', 'PENDING')
    .select('signature_id')
    .execute()
  if (state !== 'PENDING') expect(open).toEqual([])
  const openIds = open.map(({ signature_id }) => signature_id)
  const calls = provider.calls.filter(({ body }) => String(body?.documentUrl).startsWith(documentUrl))
  const ownIds = new Set(calls.map(({ body }) => body.documentId))
  for (const { documentId, signerStatus, cancelled } of provider.kept.values()) {
    if (!ownIds.has(documentId) || openIds.includes(documentId)) continue
    expect([signerStatus, cancelled || signerStatus !== 'pending']).toEqual([signerStatus, true])
  }
}

async function runHistory({ waves, tenants, ahead }: History) {
  const run = await createRun(tenants)
  const { id } = run.agreement
  const steps = listUndisturbedSteps(tenants).slice(0, ahead)
  for (const wave of [...steps.map(step => [step]), ...waves]) await runWave(run, wave)

  await runJobs(server.deps)
  const entries = await findEntries(run)
  const agreement = await server.em().findOneOrFail(Agreement, { id }, { filters: false })
  const state = await expectFinalState(run, entries, agreement)
  const { tenantIds } = await loadLockedAgreement(server.em(), agreement)
  expectActivation(entries, [people.owner.id, ...tenantIds])
  expectLastChange(run, entries, agreement)
  await expectClosedRequests(run, state)
  const revisions = server.db.selectFrom('agreements').where('revises_id', '=', id)
  const revised = entries.filter(({ type }) => type === 'revised')
  expect(await revisions.select('status').execute()).toEqual(
    revised.map(() => ({ status: 'DRAFT' as const })),
  )
}

/** Tries so many histories. Enough of them end in every state. */
export function testHistories(count: number, { endsEverywhere = false } = {}) {
  provider = signingProvider()
  server = testServer({ env: provider.env, poolSize: POOL_SIZE })

  test(`random concurrent histories of an agreement are legal (seed ${seed})`, async () => {
    const [owner, tenant, other] = await runTogether(3, () => signInUser(server.url))
    people = { owner: owner!, tenant: tenant!, other: other! }
    await runTogether(POOL_SIZE, () => sendRequest(server.url, 'GET', '/health/ready'))
    provider.replies.cancel = refuseToCancelEnded
    await fc.assert(fc.asyncProperty(history, runHistory), { seed, numRuns: count, endOnFailure: true })
    report('races of agreements', { histories: count, ends: finalStates, answers: responseCounts, seed })
    if (endsEverywhere) expect(Object.keys(finalStates)).toEqual(expect.arrayContaining(ENDS))
  }, 900_000)
}

/** A signed or declined request cannot be cancelled. */
function refuseToCancelEnded({ url }: { url: string }) {
  const found = provider.kept.get(url.split('/').at(-3) ?? '')
  if (!found) return new Response(null, { status: 404 })
  if (found.signerStatus === 'pending') found.cancelled = true
  return new Response(null, { status: found.cancelled ? 204 : 400 })
}
