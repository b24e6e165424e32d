import { expect, test } from 'bun:test'
import { stripVTControlCharacters } from 'node:util'
import { toFieldText } from '../../cli/formats'
import { toTable } from '../../cli/table'
import { testServer } from '../support/server'
import { CLEAR_LINE, runAsPerson } from './pty'
import { createBilledLease, createLandlordShell } from './shell'

const server = testServer()
const RED_OVERDUE = '\u001b[31moverdue\u001b[0m'

test.each<[string, unknown, string]>([
  ['amount', 1_00_000, '₹1,00,000'],
  ['amount_outstanding', 13_709.68, '₹13,709.68'],
  ['balance', -25_000, '-₹25,000'],
  ['days_over_90', 1_00_000, '₹1,00,000'],
  ['total_rent', 2_75_376.35, '₹2,75,376.35'],
  ['late_fee_cap', null, '–'],
  ['late_fee_kind', 'per_day', 'per_day'],
  ['paid_on', '2026-12-05', '5 Dec 2026'],
  ['period_start', '2026-12-01', '1 Dec 2026'],
])('%s %p is %p', (name, value, text) => {
  expect(toFieldText(name, value)).toBe(text)
})

test('a due date has the colour of its state', () => {
  const rows = [{ id: 1, due_date: '2026-12-05', status: 'overdue' }]
  const style = { columns: 80, isColored: true, language: 'en' } as const
  const [, row] = toTable(rows, ['id', 'due_date', 'status'], style).split('\n')
  expect(row).toContain('\u001b[31m5 Dec 2026\u001b[0m')
  expect(row).toContain(RED_OVERDUE)
})

test('a landlord reads charges, payments and the schedule as tables', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const options = { url: server.url, home: shell.home, columns: 100 }

  const charges = await runAsPerson('charge list --sort -amount', options).end()
  const [heading, deposit] = charges.text.split(/\r?\n/)
  expect(heading).toMatch(/^ID +DUE_DATE +STATUS +AMOUNT_OUTSTANDING +UNIT/)
  expect(deposit).toContain('₹1,00,000')
  expect(deposit).toContain('Bengaluru/A-101')
  expect(charges.raw).toContain('\u001b[33mdue\u001b[0m')

  await shell.kiraya(`payment create ${draft.id} --amount 26000 --method upi --allocation ${rent.id}:25000`)
  const payments = await runAsPerson('payment list', options).end()
  expect(payments.text).toMatch(/posted +₹26,000 +Tara +Bengaluru\/A-101/)

  const schedule = await runAsPerson(`charge schedule ${draft.id}`, options).end()
  expect(schedule.text).toMatch(/^total_rent +₹2,75,000/)
  expect(schedule.text).toMatch(/Society maintenance +₹2,500 +projected/)
})

test('a payment says what it settles', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, rent } = await createBilledLease(shell, server.url)
  const paid = await shell.kiraya(
    `payment create ${draft.id} --amount 25000 --method upi --allocation ${rent.id}:25000`,
  )

  const shown = await runAsPerson(`payment get ${paid.data.id}`, { url: server.url, home: shell.home }).end()

  expect(shown.text).toMatch(new RegExp(`agreement +${draft.agreement_number}`))
  expect(shown.text).toMatch(new RegExp(`${rent.id} +₹25,000 +Rent`))
})

test('a person is asked for what a payment lacks, and whether to take it back', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(shell, server.url)
  const options = { url: server.url, home: shell.home }

  const create = runAsPerson(`payment create ${draft.agreement_number} --method cheque`, options)
  await create.reply('Amount', '25,000')
  await create.reply('must be a number', `${CLEAR_LINE}25000`)
  await create.reply('Reference', '000123')
  const created = await create.end()
  expect({ exitCode: created.exitCode, text: stripVTControlCharacters(created.raw) }).toEqual({
    exitCode: 0,
    text: expect.stringContaining('pending'),
  })

  const [cheque] = (await shell.kiraya('payment list')).data
  const bounce = runAsPerson(`payment bounce ${cheque.id}`, options)
  await bounce.reply(`the cheque of payment ${cheque.id} bounced, for good? (y/N)`, 'n')
  expect((await bounce.end()).exitCode).toBe(2)
  expect((await shell.kiraya(`payment get ${cheque.id}`)).data.status).toBe('pending')
})
