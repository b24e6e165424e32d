import { expect, test } from 'bun:test'
import { testServer } from '../support/server'
import { freshPhone } from '../support/users'
import { CLEAR_LINE, CTRL_C, CTRL_D, runAsPerson } from './pty'
import { createLandlordShell, createLease, createShell, OTP } from './shell'

const server = testServer()

test('a person is asked for missing fields, and again for a mistake that is found here', async () => {
  using shell = await createLandlordShell(server.url)
  const person = runAsPerson('property create --alias-name "White House"', {
    url: server.url,
    home: shell.home,
  })

  await person.reply('Pin code', 'five')
  await person.reply('must be a whole number', `${CLEAR_LINE}560048`)
  await person.reply('Property type', '')

  const { exitCode, text } = await person.end()
  expect({ exitCode, text }).toEqual({ exitCode: 0, text: expect.stringContaining('Bengaluru') })
  const { data } = await shell.kiraya('property list')
  expect(data).toMatchObject([{ alias_name: 'White House', pin_code: 560048, property_type: 'apartment' }])
})

test('a field that the server refuses is asked for again, and the others are kept', async () => {
  using shell = await createLandlordShell(server.url)
  const person = runAsPerson('property create --pin-code 12 --property-type PG --alias-name Lake', {
    url: server.url,
    home: shell.home,
  })

  await person.read('pin_code')
  await person.reply('Pin code', `${CLEAR_LINE}560048`)

  expect((await person.end()).exitCode).toBe(0)
  const { data } = await shell.kiraya('property list')
  expect(data).toMatchObject([{ alias_name: 'Lake', property_type: 'pg', pin_code: 560048 }])
})

test('a name that nothing has is asked for again', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, tenant } = await createLease(shell, server.url)
  const person = runAsPerson(`agreement sign ${draft.id} --signer Nobody`, {
    url: server.url,
    home: shell.home,
  })

  await person.read(`Did you mean Tara +91 ${tenant.phone}`)
  await person.reply('Signer', `${CLEAR_LINE}${tenant.phone}`)

  expect(await person.end()).toMatchObject({ exitCode: 0, text: expect.stringContaining('signing_url') })
})

test.each([
  ['Ctrl+C', CTRL_C],
  ['Ctrl+D', CTRL_D],
])('130: a person who leaves by %s is told how to continue', async (_, key) => {
  using shell = await createLandlordShell(server.url)
  const person = runAsPerson('property create --alias-name "White House" --profile default', {
    url: server.url,
    home: shell.home,
    env: { npm_command: 'exec', npm_lifecycle_event: 'npx' },
  })

  await person.reply('Pin code', '560048')
  await person.read('Property type')
  person.type(key)

  const { exitCode, text } = await person.end()
  expect(exitCode).toBe(130)
  expect(text).toContain(
    "npx kiraya property create --alias-name 'White House' --profile default --pin-code 560048",
  )
  expect(text.split('Continue with')).toHaveLength(2)
  expect((await shell.kiraya('property list')).data).toEqual([])
})

test('onboard asks again for a wrong phone number, one-time password and e-mail', async () => {
  using shell = createShell(server.url)
  const phone = freshPhone()
  const person = runAsPerson('onboard', { url: server.url, home: shell.home })

  await person.reply('Phone number', '12345')
  await person.read('phone_number')
  await person.reply('Phone number', `${CLEAR_LINE}+91 ${phone.slice(0, 5)} ${phone.slice(5)}`)
  await person.reply('One-time password', '000000')
  await person.read('is wrong')
  await person.reply('One-time password', `${CLEAR_LINE}${OTP}`)
  await person.reply('First name', 'Asha')
  await person.reply('Last name', 'Rao')
  await person.reply('Email', 'asha')
  await person.read('email')
  await person.reply('Email', `${CLEAR_LINE}asha@example.com`)
  await person.reply('Press Enter', '')

  expect((await person.end()).exitCode).toBe(0)
  const { data } = await shell.kiraya('status')
  expect(data).toMatchObject({ phone, email: 'asha@example.com', status: 'LOGIN_SUCCESSFUL' })
})

const endings: [command: string, question: string][] = [
  ['agreement terminate', 'Terminate the agreement'],
  ['agreement revise', 'replace it by a new draft?'],
  ['agreement complete', 'Close the agreement'],
]
test.each(endings)('%s asks first, and no leaves everything as it is', async (command, question) => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)
  await shell.kiraya(`agreement sign ${draft.id}`)
  const person = runAsPerson(`${command} ${draft.id}`, { url: server.url, home: shell.home })

  await person.reply(question, 'n')

  expect(await person.end()).toMatchObject({ exitCode: 2, text: expect.stringContaining('Cancelled') })
  expect((await shell.kiraya(`agreement get ${draft.id}`)).data.status).toBe('PENDING')
})

test('agreement terminate ends the agreement after a yes', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createLease(shell, server.url)
  await shell.kiraya(`agreement sign ${draft.id}`)
  const person = runAsPerson(`agreement terminate ${draft.id}`, { url: server.url, home: shell.home })

  await person.reply('Terminate the agreement', 'yes')

  expect(await person.end()).toMatchObject({ exitCode: 0, text: expect.stringContaining('TERMINATED') })
})

test('2: no question is asked while the output goes to a file', async () => {
  using shell = createShell(server.url)
  const options = { url: server.url, home: shell.home, redirection: '> output.txt' }
  const redirected = (commandLine: string) => runAsPerson(commandLine, options).end()

  const create = await redirected('property create')
  const remove = await redirected('property delete 1')

  expect([create.exitCode, create.text]).toEqual([2, '--pin-code, --property-type are required\n'])
  expect([remove.exitCode, remove.text]).toEqual([2, expect.stringContaining('--yes is required')])
})

test('agreement cancel-signature takes the phone number of the signer, and --yes', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, tenant } = await createLease(shell, server.url)
  await shell.kiraya(`agreement sign ${draft.id} --signer ${tenant.id}`)

  const unconfirmed = await shell.kiraya(`agreement cancel-signature ${draft.id} ${tenant.phone}`)
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([2, expect.stringContaining('--yes')])
  const cancelled = await shell.kiraya(`agreement cancel-signature ${draft.id} ${tenant.phone} --yes`)
  expect(cancelled.data.status).toBe('expired')
})

test('spaces around a reply are not part of it, and a reply of spaces is none', async () => {
  using shell = await createLandlordShell(server.url)
  const person = runAsPerson('payment reverse 12 --yes --dry-run', { url: server.url, home: shell.home })

  await person.reply('Reason', '   ')
  await person.reply('Required', `${CLEAR_LINE}  Entered  twice  `)

  const { exitCode, text } = await person.end()
  expect(exitCode).toBe(0)
  expect(text).toContain('"reason": "Entered  twice"')
})
