import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { refuse } from '../../server/errors'
import { realProviders } from '../support/providers'
import { testServer } from '../support/server'
import { freshPhone, signInUser } from '../support/users'
import { createShell, OTP } from './shell'

const OPS_TOKEN = 'a token for those who run it'
const env = { KIRAYA_OPS_TOKEN: OPS_TOKEN }
const sent: string[] = []
const unreachable = new Set<string>()
const sendMessage = async (phone: string) => {
  if (unreachable.has(phone)) throw refuse('phone_number_unreachable')
  sent.push(phone)
}
const production = testServer({ env: { ...realProviders, OPS_TOKEN }, overrides: { sendMessage } })
const development = testServer({ env: { OPS_TOKEN } })

/** A shell with a file of landlords, whom a command invites. */
async function createFile(url: string, rows: string[]) {
  const shell = createShell(url)
  const lines = ['phone,first_name,last_name,email', ...rows]
  await Bun.write(join(shell.home, 'landlords.csv'), lines.join('\n'))
  const invite = (flags: string, options: { env?: object } = { env }) =>
    shell.kiraya(`import landlords landlords.csv ${flags}`, options as { env: typeof env })
  return { ...shell, invite }
}
const countMessages = (phones: string[]) => sent.filter(phone => phones.includes(phone)).length

test('landlords from a file are invited once, by an operator who says yes; an invitation can be cancelled', async () => {
  const phones = [freshPhone(), freshPhone()] as const
  const spoken = `+91 ${phones[0].slice(0, 5)} ${phones[0].slice(5)}`
  using shell = await createFile(production.url, [
    `${spoken},आशा,राव,asha@example.com`,
    `${phones[1]},Ravi,Rao,ravi@example.com`,
  ])

  const dryRun = await shell.invite('--dry-run', {})
  expect([dryRun.data, countMessages([...phones])]).toEqual([{ landlords: 2, dry_run: true }, 0])
  expect((await shell.invite('')).exitCode).toBe(2)
  expect((await shell.invite('--yes', {})).exitCode).toBe(2)
  const imported = await shell.invite('--yes')
  expect(imported.data).toEqual({ landlords: 2, invited: 2, with_account: 0, dry_run: false })
  expect(imported.err).toContain('2 of 2 landlords')
  const again = await shell.invite('--yes')
  expect([again.data, countMessages([...phones])]).toEqual([imported.data, 2])

  const [invitation] = await shell.getData(`ops invitations --phone ${phones[0]} --status OPEN`, { env })
  expect(invitation).toMatchObject({ phone_number: phones[0], first_name: 'आशा', status: 'open' })
  const cancelled = await shell.getData(`ops cancel-invitation ${invitation.id}`, { env })
  expect(cancelled).toEqual({ message: 'The invitation was cancelled' })
  expect(await shell.getData(`ops invitations --phone ${phones[0]}`, { env })).toEqual([])
})

test('6: what the server refuses is named by line and column, and the others are invited', async () => {
  const [fine, noMessage] = [freshPhone(), freshPhone()]
  unreachable.add(noMessage)
  using shell = await createFile(production.url, [
    `${noMessage},Ravi,Rao,ravi@example.com`,
    `${fine},Meera,Pillai,meera@example.com`,
  ])

  const { exitCode, data } = await shell.invite('--yes')

  expect([exitCode, data.errors]).toMatchObject([6, [{ line: 2, column: 'phone' }]])
  expect(sent).toContain(fine)
})

test('an invitation suggests its names, and the person confirms or corrects them', async () => {
  const phone = freshPhone()
  using shell = await createFile(development.url, [`${phone},Asha,Rao,asha@example.com`])
  expect((await shell.invite('--yes')).data).toMatchObject({ invited: 1 })

  const person = await shell.ask(`onboard --phone ${phone} --otp ${OTP}`, ['Aasha', '', '', ''])

  expect(person.exitCode).toBe(0)
  expect(person.asked.slice(0, 3).map(({ message, initial }) => [message, initial])).toEqual([
    ['First name', 'Asha'],
    ['Last name', 'Rao'],
    ['Email', 'asha@example.com'],
  ])
  const { data } = await (await signInUser(development, phone)).get('/auth/me')
  expect(data.user).toMatchObject({ first_name: 'Aasha', last_name: 'Rao', email: 'asha@example.com' })
  expect((await shell.invite('--yes')).data).toMatchObject({ invited: 0, with_account: 1 })
})
