import { expect, test } from 'bun:test'
import { loadCandidates } from '../../cli/candidates'
import { createClient } from '../../sdk'
import { createStubServer } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createBilledLease, createLandlordShell, createLease, createShell } from './shell'

const server = testServer()

const toValues = (out: string) =>
  out
    .split('\n')
    .filter(line => line.includes('\t'))
    .map(line => line.split('\t')[0])

test.each(['bash', 'zsh', 'fish'])('completion %s prints a script that asks the command', async shellName => {
  using shell = createShell(server.url)
  const { exitCode, out } = await shell.kiraya(`completion ${shellName}`)
  expect(exitCode).toBe(0)
  expect(out).toContain('kiraya complete --')
})

test('the script for bash is one that bash reads', async () => {
  using shell = createShell(server.url)
  const { out } = await shell.kiraya('completion bash')
  const check = Bun.spawn(['bash', '-n'], { stdin: new Blob([out]) })
  expect(await check.exited).toBe(0)
})

test.each([
  ['agr', ['agreement']],
  ['agreement get', ['get']],
  ['agreement list --status ""', ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED']],
  ['unit create 1 --room', ['--room-type']],
  ['completion z', ['zsh']],
  ['agreement get ""', []],
])('%s is completed without a sign-in', async (words, values) => {
  using shell = createShell(server.url)
  expect(toValues((await shell.kiraya(`complete -- ${words}`)).out)).toEqual(values)
})

test('names and ids come from the server of the profile that is signed in', async () => {
  using shell = await createLandlordShell(server.url)
  const { property, unit, tenant, draft } = await createLease(shell, server.url)
  await shell.kiraya('property create --pin-code 560048 --property-type pg --alias-name "White House"')
  await shell.kiraya('property create --pin-code 560048 --property-type pg --alias-name 101')
  const number = await shell.kiraya('property list --query "[?alias_name==\'101\'].id"')
  const white = await shell.kiraya('property list --query "[?alias_name==\'White House\'].id"')

  const cases: [words: string, values: string[]][] = [
    ['agreement get ""', [draft.agreement_number]],
    ['agreement create --tenant ""', [tenant.phone]],
    ['agreement create --unit ""', [String(unit.id)]],
    [`unit get ${property.id} ""`, ['A-101']],
    [`agreement cancel-signature ${draft.id} ""`, [tenant.phone]],
    ['property get B', ['Bengaluru']],
    ['property get ""', [String(white.data[0]), String(number.data[0]), 'Bengaluru']],
    ['--profile other agreement get ""', []],
  ]
  for (const [words, values] of cases) {
    const { out } = await shell.kiraya(`complete -- ${words}`)
    expect([words, toValues(out).toSorted()]).toEqual([words, values.toSorted()])
  }
})

test('charges and payments are completed by their ids', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft, deposit, rent, maintenance } = await createBilledLease(shell, server.url)
  const paid = await shell.kiraya(`payment create ${draft.id} --amount 100 --method cash`)

  const charges = await shell.kiraya('complete -- charge credit ""')
  const payments = await shell.kiraya('complete -- payment reverse ""')
  const agreements = await shell.kiraya('complete -- charge list --agreement ""')

  const ids = [deposit.id, rent.id, maintenance.id].map(String)
  expect(toValues(charges.out).toSorted()).toEqual(ids.toSorted())
  expect(toValues(payments.out)).toEqual([String(paid.data.id)])
  expect(payments.out).toContain('₹100')
  expect(toValues(agreements.out)).toEqual([draft.agreement_number])
})

test.each(['agreement', 'charge', 'payment', 'person', 'property'] as const)(
  'of what a server sends as %s nothing is offered that a shell would run',
  async kind => {
    const text = '$(id)'
    const names = { alias_name: text, agreement_number: text, description: 'Rent\n$(id)\tA' }
    const days = { due_date: '2026-12-05', paid_on: '2026-12-05', amount: 1, amount_outstanding: 1 }
    const records = ['`id`', '--yes', '7'].map(id => ({ id, phone: id, ...names, ...days }))
    const metadata = { page: 1, limit: 100, total: 2, total_pages: 1 }
    using server = createStubServer(() => Response.json({ success: true, data: records, metadata }))

    const candidates = await loadCandidates(createClient({ baseUrl: server.url }), kind, [], 'en')

    expect(candidates.map(({ value }) => value)).toEqual(['7'])
    expect(candidates[0]!.description).not.toMatch(/[\n\t]/)
  },
)

test('stored sign-ins are completed by their names, wherever --profile stands', async () => {
  using shell = await createLandlordShell(server.url)
  await shell.kiraya('profile list')
  for (const words of [
    '--profile ""',
    'agreement list --profile ""',
    'profile use ""',
    'profile remove ""',
  ]) {
    const { out } = await shell.kiraya(`complete -- ${words}`)
    expect([words, toValues(out)]).toEqual([words, ['default']])
    expect(out).toContain(`${shell.phone}, ${server.url}`)
  }
})

const FILE_WORDS = ['import properties ""', 'api POST /tenants --input ""', 'statement download 1 --out ""']
test.each(FILE_WORDS)('%s leaves the names of files to the shell', async words => {
  using shell = createShell(server.url)
  expect((await shell.kiraya(`complete -- ${words}`)).out.trim()).toBe(':0')
})
