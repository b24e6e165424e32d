import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openProgram } from './language-service'

const PROGRAM = `
import { createClient } from '@kiraya/sdk'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { createSandboxClient } from '@kiraya/sdk/sandbox'

const kiraya = createClient({ baseUrl: 'http://localhost:3000' })
const operations = createOperationsClient({ baseUrl: 'http://localhost:3000' })
const sandbox = createSandboxClient({ baseUrl: 'http://localhost:3000' })
const property = await kiraya.properties.get(3)
const unit = await kiraya.units.get(3, 5)
const agreement = await kiraya.agreements.get(7)
const underWay = kiraya.agreements.get(7)
const signIn = await kiraya.auth.verify('9876543210', '123456')
const signedIn = signIn.user
const agreements = await kiraya.agreements.list()
const everyAgreement = kiraya.agreements.iterate()
const tenant = await kiraya.tenants.create({ phone_number: '9123456789' })
const timeline = await kiraya.agreements.timeline(7)
const dashboard = await kiraya.dashboard.get()
const state = await sandbox.state()
const report = await operations.jobs()
const charges = await kiraya.charges.list()
const payment = await kiraya.payments.get(12)
agreement.rent_due_day
property.landlord_id
kiraya.agreements.terminate(7, { termination_date: null }, { idempotencyKey: 'a' })
`

let program: Awaited<ReturnType<typeof openProgram>>
beforeAll(async () => {
  program = await openProgram(join(import.meta.dir, 'hovered-program.ts'), PROGRAM)
})
afterAll(() => program[Symbol.dispose]())

const names: [variable: string, type: string][] = [
  ['kiraya', 'Kiraya'],
  ['charges', 'Page<Charge>'],
  ['payment', 'Payment'],
  ['operations', 'OperationsClient'],
  ['sandbox', 'SandboxClient'],
  ['property', 'PropertyWithUnits'],
  ['unit', 'Unit'],
  ['agreement', 'Agreement'],
  ['underWay', 'Call<Agreement>'],
  ['signIn', 'SignInResponse'],
  ['signedIn', 'User'],
  ['agreements', 'Page<Agreement>'],
  ['everyAgreement', 'Items<Agreement>'],
  ['tenant', 'NamedTenant'],
  ['timeline', 'Timeline'],
  ['dashboard', 'Dashboard'],
  ['state', 'SandboxState'],
  ['report', 'JobsReport'],
]
test.each(names)('an editor shows %s as %s', async (variable, type) => {
  expect(await program.hover(`const ${variable} `.trimEnd())).toContain(`const ${variable}: ${type}\n`)
})

describe('an editor shows the documentation', () => {
  const cases: [text: string, shown: string[]][] = [
    ['agreement.rent_due_day', ['Agreement.rent_due_day: number', 'The day of the month.']],
    [
      'property.landlord_id',
      ['landlord_id: number | null', "The creator's number; null for other landlords."],
    ],
    ['termination_date', ['termination_date?: string | null', 'today (Asia/Kolkata) or earlier']],
    ['idempotencyKey', ['CallOptions.idempotencyKey', 'For 24 hours']],
    ['baseUrl', ['ClientOptions.baseUrl: string', "The server's address"]],
    ['kiraya.properties', ['Kiraya.properties: PropertyCalls', 'Buildings, societies and plots.']],
    [
      'agreements.terminate',
      [
        'terminate: (id: RecordId, terminate?: TerminateInput, options?: CallOptions) => Call<Agreement>',
        'Ends a lease, or its signing, today',
        "await kiraya.agreements.terminate(7, { termination_date: '2027-03-31', reason: 'Moved out' })",
      ],
    ],
  ]
  test.each(cases)('of %s', async (text, shown) => {
    const hover = await program.hover(text)
    for (const part of shown) expect(hover).toContain(part)
  })
})
