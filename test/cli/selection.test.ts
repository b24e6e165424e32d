import { expect, test } from 'bun:test'
import { createStubServer } from '../sdk/stub-server'
import { createShell } from './shell'

const metadata = { page: 1, limit: 50, total: 2, total_pages: 1 }
const data = [
  { id: 1, alias_name: 'White House', city: 'Bengaluru' },
  { id: 2, alias_name: 'Lake View', city: 'Chennai' },
]
const respond = () => Response.json({ success: true, data, metadata })

test.each([
  ['property list --json id,city', data.map(({ id, city }) => ({ id, city }))],
  ['property list --json=id', [{ id: 1 }, { id: 2 }]],
  ['property list --json', data],
  ['--json property list', data],
  ['property --json list', data],
  ['--profile tenant property list --json id', [{ id: 1 }, { id: 2 }]],
  ['property list --json --limit 5', data],
  [`property list --query "[?city=='Chennai'].id"`, [2]],
  ['property list --json id --query "[].id"', [1, 2]],
])('%s', async (commandLine, selected) => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  expect((await shell.kiraya(commandLine)).data).toEqual(selected)
})

test('a single text is printed bare', async () => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  expect((await shell.kiraya('property list --query [0].alias_name')).out).toBe('White House\n')
})

test('2: an unknown field is null, and named with those that there are', async () => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  const { exitCode, data: shown, err } = await shell.kiraya('property list --json id,nmae')
  expect([exitCode, shown]).toEqual([2, data.map(({ id }) => ({ id, nmae: null }))])
  expect(JSON.parse(err).error.message).toBe('--json: there is no field nmae, but id, alias_name, city')
})

test.each([
  'property delete 1 --yes --json massage',
  'unit update 1 2 --unit-name A-102 --json id,nmae',
  'agreement create --unit 1 --tenant 2 --json id,nmae',
  'agreement terminate 1 --yes --json nmae',
  'sandbox fault add esign error --json nmae',
])('2: an unknown field of a change, before anything is sent: %s', async commandLine => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  const { exitCode, out, err } = await shell.kiraya(commandLine)
  expect([exitCode, out, server.requests]).toEqual([2, '', []])
  expect(JSON.parse(err).error.message).toStartWith('--json: there is no field')
})

test('2: an expression that is not valid, before anything is sent', async () => {
  using server = createStubServer(respond)
  using shell = createShell(server.url)
  const { exitCode } = await shell.kiraya('property list --query [?')
  expect([exitCode, server.requests]).toEqual([2, []])
})
