import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { refuse } from '../../server/faults'
import { realProviders } from '../support/providers'
import { testServer } from '../support/server'
import { freshPhone, signInUser } from '../support/users'
import { CLEAR_LINE, runAsPerson } from './pty'
import { createShell, OTP, type Shell } from './shell'

const OPS_TOKEN = 'a token for those who run it'
const env = { KIRAYA_OPS_TOKEN: OPS_TOKEN }
const sent: string[] = []
const unreachable = new Set<string>()
const sendInvitation = async (phone: string) => {
  if (unreachable.has(phone)) throw refuse('phone_number_unreachable')
  sent.push(phone)
}
const production = testServer({ env: { ...realProviders, OPS_TOKEN }, overrides: { sendInvitation } })
const development = testServer({ env: { OPS_TOKEN } })

const writeFile = ({ home }: Shell, rows: string[]) =>
  Bun.write(join(home, 'landlords.csv'), ['phone,first_name,last_name,email', ...rows].join('\n'))
const countMessages = (phones: string[]) => sent.filter(phone => phones.includes(phone)).length

test('landlords from a file are invited where there is no sandbox, once', async () => {
  using shell = createShell(production.url)
  const phones = [freshPhone(), freshPhone()]
  await writeFile(shell, [
    `+91 ${phones[0]!.slice(0, 5)} ${phones[0]!.slice(5)},आशा,राव,asha@example.com`,
    `${phones[1]},Ravi,Rao,ravi@example.com`,
  ])

  const dryRun = await shell.kiraya('import landlords landlords.csv --dry-run')
  const unconfirmed = await shell.kiraya('import landlords landlords.csv', { env })
  const withoutToken = await shell.kiraya('import landlords landlords.csv --yes')
  const countBefore = countMessages(phones)
  const imported = await shell.kiraya('import landlords landlords.csv --yes', { env })
  const again = await shell.kiraya('import landlords landlords.csv --yes', { env })

  expect([dryRun.data, countBefore]).toEqual([{ landlords: 2, dry_run: true }, 0])
  expect([unconfirmed.exitCode, withoutToken.exitCode]).toEqual([2, 2])
  expect(imported.data).toEqual({ landlords: 2, invited: 2, with_account: 0, dry_run: false })
  expect(imported.err).toContain('2 of 2 landlords')
  expect([again.data, countMessages(phones)]).toEqual([imported.data, 2])
})

test('what the server refuses is named by line and column, and the others are invited', async () => {
  using shell = createShell(production.url)
  const [fine, noMessage] = [freshPhone(), freshPhone()]
  unreachable.add(noMessage)
  await writeFile(shell, [`${noMessage},Ravi,Rao,ravi@example.com`, `${fine},Meera,Pillai,meera@example.com`])

  const { exitCode, data } = await shell.kiraya('import landlords landlords.csv --yes', { env })

  expect(exitCode).toBe(6)
  expect(data.errors).toMatchObject([{ line: 2, column: 'phone' }])
  expect(sent).toContain(fine)
})

test('wrong e-mail addresses and repeated phone numbers are found before anything is sent', async () => {
  using shell = createShell(production.url)
  const phone = freshPhone()
  await writeFile(shell, [
    `${phone},Asha,Rao,asha@example.com`,
    `${freshPhone()},Ravi,Rao,ravi@`,
    `+91 ${phone},Asha,Rao,asha@example.com`,
  ])

  const dryRun = await shell.kiraya('import landlords landlords.csv --dry-run')
  const imported = await shell.kiraya('import landlords landlords.csv --yes', { env })

  expect([dryRun.exitCode, imported.exitCode, countMessages([phone])]).toEqual([6, 6, 0])
  expect(imported.data.errors).toMatchObject([
    { line: 3, column: 'email' },
    { line: 4, column: 'phone', message: 'is in line 2 already' },
  ])
  expect(imported.err).toContain('The file has 2 errors')
})

test('an operator lists the invitations and cancels one', async () => {
  using shell = createShell(production.url)
  const phone = freshPhone()
  await writeFile(shell, [`${phone},Asha,Rao,asha@example.com`])
  await shell.kiraya('import landlords landlords.csv --yes', { env })

  const listed = await shell.kiraya(`ops invitations --phone ${phone} --status OPEN`, { env })
  const cancelled = await shell.kiraya(`ops cancel-invitation ${listed.data[0].id}`, { env })
  const rest = await shell.kiraya(`ops invitations --phone ${phone}`, { env })

  expect(listed.data).toMatchObject([{ phone_number: phone, first_name: 'Asha', status: 'open' }])
  expect(cancelled.data).toEqual({ message: 'The invitation was cancelled' })
  expect(rest.data).toEqual([])
})

test('an invitation suggests its names, and the person confirms or corrects them', async () => {
  using shell = createShell(development.url)
  const phone = freshPhone()
  await writeFile(shell, [`${phone},Asha,Rao,asha@example.com`])
  const imported = await shell.kiraya('import landlords landlords.csv --invite --yes', { env })
  const person = runAsPerson(`onboard --phone ${phone} --otp ${OTP}`, {
    url: development.url,
    home: shell.home,
  })

  await person.reply('First name', `${CLEAR_LINE}Aasha`)
  await person.reply('Last name', '')
  await person.reply('Email', '')
  await person.reply('Press Enter', '')

  expect(imported.data).toMatchObject({ invited: 1 })
  expect((await person.end()).exitCode).toBe(0)
  const { data } = await (await signInUser(development, phone)).get('/auth/me')
  expect(data.user).toMatchObject({ first_name: 'Aasha', last_name: 'Rao', email: 'asha@example.com' })
  const again = await shell.kiraya('import landlords landlords.csv --invite --yes', { env })
  expect(again.data).toMatchObject({ invited: 0, with_account: 1 })
})
