import { expect, test } from 'bun:test'
import { sendMessages } from '../../../../server/messages-out/send'
import { readPdfText } from '../../../support/pdf'
import { startBooksServer, type BooksServer } from '../../../support/books/lease-fixture'
import { downloadPdf } from '../statements/fixtures'
import { createEndedLease, type EndedLease } from './ended-lease'

const toReason = ({ status, error }: any) => [status, error?.reason]

/** A proposal of 10 February 2027, of which the tenant is told on a day. */
async function propose(server: BooksServer, toldOn?: string) {
  const lease = await createEndedLease(server)
  await lease.settle({})
  if (toldOn) server.setDay(toldOn)
  if (toldOn) await sendMessages(server.deps)
  const post = async (body: object = {}) =>
    (await lease.asLandlord()).post(`${lease.path}/deposit/settlement/post`, body)
  const read = async () => (await (await lease.asLandlord()).get(`${lease.path}/deposit`)).data.settlement
  return { ...lease, post, read }
}

const listMessages = (server: BooksServer, { tenant }: EndedLease) =>
  server.db
    .selectFrom('messages_out')
    .where('user_id', '=', tenant.id)
    .where('kind', '=', 'settlement')
    .orderBy('id')
    .select(['state', 'due_at', 'params'])
    .execute()

/** What timeline, sheet and statement say of a settlement. */
async function readAll(server: BooksServer, { asLandlord, path }: EndedLease) {
  const reader = await asLandlord()
  const readPdf = async (name: string) =>
    readPdfText((await downloadPdf(server, reader, `${path}/${name}`)).bytes)
  const { entries } = (await reader.get(`${path}/timeline`)).data
  return {
    types: entries.slice(-2).map(({ type }: { type: string }) => type),
    settlement: (await reader.get(`${path}/statement`)).data.settlement,
    texts: [await readPdf('deposit/settlement/pdf'), await readPdf('statement/pdf')],
  }
}

test('a proposal that the tenants were told of is posted unanswered from the fifteenth day after that', async () => {
  await using server = await startBooksServer()
  const lease = await propose(server, '2027-02-12')
  expect(await lease.read()).toMatchObject({ status: 'proposed', unanswered_from: '2027-02-27' })
  const [told, ...again] = await listMessages(server, lease)
  expect(told).toMatchObject({ state: 'sent', params: { days: '15' } })
  expect(again.map(({ state, due_at }) => [state, new Date(due_at).toISOString()])).toEqual([
    ['queued', '2027-02-17T04:30:00.000Z'],
    ['queued', '2027-02-24T04:30:00.000Z'],
  ])

  server.setDay('2027-02-26')
  await sendMessages(server.deps)
  expect((await listMessages(server, lease)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  expect(toReason(await lease.post({}))).toEqual([400, 'settlement_wrong_status'])
  const early = await lease.post({ unanswered: true })
  expect(toReason(early)).toEqual([400, 'settlement_awaits_answer'])
  expect(early.error.message).toContain('2027-02-27')

  server.setDay('2027-02-27')
  const { status, data } = await lease.post({ unanswered: true })
  expect([status, data.status, data.unanswered, data.paper_accepted_on]).toEqual([200, 'posted', true, null])
  const { types, settlement, texts } = await readAll(server, lease)
  expect(types).toEqual(['deposit_unanswered', 'deposit_settled'])
  expect(settlement).toEqual({ posted_on: '2027-02-27', paper_accepted_on: null, unanswered: true })
  for (const text of texts) expect(text).toContain('Not answered by the tenants in time')
})

test('the days begin anew with another proposal, and an answer ends the reminders', async () => {
  await using server = await startBooksServer()
  const lease = await propose(server, '2027-02-10')
  server.setDay('2027-03-01')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/deposit/settlement`, { deductions: [], refund_method: 'upi' })
  expect(toReason(await lease.post({ unanswered: true }))).toEqual([400, 'settlement_not_told'])
  await sendMessages(server.deps)
  expect(toReason(await lease.post({ unanswered: true }))).toEqual([400, 'settlement_awaits_answer'])
  const { settlement_id } = await lease.read()
  const tenant = await lease.asTenant()
  await tenant.post(`${lease.path}/deposit/settlement/accept`, { settlement_id })
  expect((await listMessages(server, lease)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  expect((await lease.post({ unanswered: true })).data).toMatchObject({ status: 'posted', unanswered: false })
})

test('without a message that got through it is posted on paper alone, which is said everywhere', async () => {
  await using server = await startBooksServer()
  const lease = await propose(server)
  await server.db
    .updateTable('messages_out')
    .set({ state: 'unknown' })
    .where('user_id', '=', lease.tenant.id)
    .execute()
  server.setDay('2027-06-01')
  expect(await lease.read()).toMatchObject({ unanswered_from: null })
  expect(toReason(await lease.post({ unanswered: true }))).toEqual([400, 'settlement_not_told'])
  const onPaper = (on: string) => lease.post({ accepted_on_paper: { on } })
  const refused = await onPaper('2027-06-02')
  expect([...toReason(refused), refused.error.details[0].property]).toEqual([
    400,
    'date_in_future',
    'accepted_on_paper.on',
  ])
  const tenant = await lease.asTenant()
  const body = { accepted_on_paper: { on: '2027-05-30' } }
  expect((await tenant.post(`${lease.path}/deposit/settlement/post`, body)).status).toBe(403)

  expect((await onPaper('2027-05-30')).data).toMatchObject({
    status: 'posted',
    paper_accepted_on: '2027-05-30',
    unanswered: false,
  })
  const { types, settlement, texts } = await readAll(server, lease)
  expect(types).toEqual(['deposit_accepted_on_paper', 'deposit_settled'])
  expect(settlement).toMatchObject({ paper_accepted_on: '2027-05-30' })
  for (const text of texts) expect(text).toContain('Accepted on paper on 30 May 2027, as the landlord says')
})

test('of two tenants both have to be told', async () => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server, 100_000, 2)
  await lease.settle({})
  await sendMessages(server.deps)
  const read = async () => (await (await lease.asLandlord()).get(`${lease.path}/deposit`)).data.settlement
  expect(await read()).toMatchObject({ unanswered_from: '2027-02-25' })
  const second = server.db.updateTable('messages_out').where('user_id', '=', lease.tenants[1]!.id)
  await second.set({ state: 'failed' }).where('state', '=', 'sent').execute()
  expect(await read()).toMatchObject({ unanswered_from: null })
})
