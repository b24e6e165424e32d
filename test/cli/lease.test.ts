import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testServer } from '../support/server'
import { createActiveLease, createBilledLease, createLandlordShell, createLease } from './shell'

const server = testServer()

test('an agreement becomes active when every party has signed, refuses changes, ends and frees its unit', async () => {
  using shell = await createLandlordShell(server.url)
  const { kiraya, getData } = shell
  const { property, unit, draft } = await createActiveLease(shell, server.url)
  expect(draft).toMatchObject({ status: 'DRAFT', rent_amount: 25000, deposit_amount: 100000 })

  const { allSigned, signatures } = await getData(`agreement signatures ${draft.agreement_id}`)
  expect(allSigned).toBe(true)
  const timeline = await getData(`agreement timeline ${draft.id}`)
  expect(timeline.intact).toBe(true)
  const types = timeline.events.map(({ type }: { type: string }) => type)
  expect(types).toEqual(expect.arrayContaining(['created', 'sent', 'signed', 'activated']))
  expect(await getData('agreement list --status ACTIVE --json')).toMatchObject([{ id: draft.id }])
  expect((await getData('dashboard')).stats.total_tenants).toBe(1)
  expect(await getData('tenant list')).toMatchObject([{ first_name: 'Tara' }])

  const documents = [
    [`agreement document ${draft.id} --out last.pdf`, 'last.pdf'],
    [`agreement document ${draft.id} --signature ${signatures[0].signature_id} --out first.pdf`, 'first.pdf'],
    [`agreement certificate ${draft.id}`, `agreement-${draft.id}-certificate.pdf`],
  ] as const
  for (const [commandLine, file] of documents) {
    expect(await getData(commandLine)).toEqual({ file, bytes: expect.any(Number) })
    expect(await Bun.file(join(shell.home, file)).text()).toStartWith('%PDF-')
  }

  expect((await kiraya(`agreement update ${draft.id} --rent 1`)).exitCode).toBe(7)
  expect((await kiraya(`unit delete ${property.id} ${unit.id} --yes`)).exitCode).toBe(6)
  const terminated = await getData(`agreement terminate ${draft.id} --reason Moved --yes`)
  expect(terminated).toMatchObject({ status: 'TERMINATED', termination_reason: 'Moved' })
  expect((await getData(`agreement complete ${draft.id} --yes`)).status).toBe('COMPLETED')
  await getData(`property delete ${property.id} --yes`)
})

test('a request to sign is cancelled by phone number, and a tenant declines a draft', async () => {
  using landlord = await createLandlordShell(server.url)
  using tenant = await createLandlordShell(server.url)
  const { draft } = await createLease(landlord, server.url, tenant.phone)
  await landlord.getData(`agreement sign ${draft.id} --signer ${tenant.phone}`)
  for (const line of [`agreement delete ${draft.id} --yes`, `agreement update ${draft.id} --rent 1`]) {
    const { exitCode, err } = await landlord.kiraya(line)
    expect([exitCode, err]).toEqual([7, expect.stringContaining('revise or terminate it')])
  }
  const cancelled = await landlord.getData(`agreement cancel-signature ${draft.id} ${tenant.phone} --yes`)
  expect(cancelled.status).toBe('expired')

  const { draft: second } = await createLease(landlord, server.url, tenant.phone)
  const declined = await tenant.getData(`agreement decline ${second.id} --reason "Too far away"`)
  expect(declined).toMatchObject({ status: 'declined', decline_reason: 'Too far away' })
  const started = await landlord.kiraya(`agreement sign ${second.id}`)
  expect([started.exitCode, started.err]).toEqual([6, expect.stringContaining('they declined this draft')])
})

test('terms above the custom are created with a warning, also in a renewal', async () => {
  using shell = await createLandlordShell(server.url)
  const { draft } = await createBilledLease(shell, server.url)

  const renewed = await shell.kiraya(`agreement renew ${draft.agreement_number} --months 12 --rent 27000`)
  expect(renewed.data).toMatchObject({
    status: 'DRAFT',
    rent_amount: 27_000,
    tenure_in_months: 12,
    renews_agreement_id: draft.agreement_id,
  })
  expect(renewed.err).toStartWith("Warning: The deposit is above 2 months' rent of a residence")
  const changed = await shell.kiraya(`agreement update ${renewed.data.id} --deposit 50000`)
  expect([changed.data.deposit_amount, changed.err]).toEqual([50_000, ''])
  const wrong = await shell.kiraya(`agreement renew ${draft.id} --json nmae`)
  expect([wrong.exitCode, wrong.out]).toEqual([2, ''])
})

test('a rent on short notice is proposed with a warning, and holds once a tenant has accepted it', async () => {
  using landlord = await createLandlordShell(server.url)
  using tenant = await createLandlordShell(server.url)
  const { draft, today } = await createBilledLease(landlord, server.url, tenant.phone)
  const number = draft.agreement_number as string
  const propose = (days: number, flags = '') => {
    const from = new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
    return landlord.kiraya(`rent-revision propose ${number} --rent 27000 --from ${from} ${flags}`)
  }

  const first = await propose(40)
  expect([first.exitCode, first.data.status]).toEqual([0, 'proposed'])
  expect(first.err).toStartWith("Warning: The new rent comes with less than 3 months' notice")
  expect((await propose(41, '--json id')).err).toBe('')
  expect((await propose(200)).err).toBe('')

  const accepted = await tenant.getData(`rent-revision accept ${number} ${first.data.id} --yes`)
  expect(accepted).toMatchObject({ status: 'accepted', rent_amount: 27_000 })
  const [, second] = await tenant.getData(`rent-revision list ${number} --sort id`)
  const declined = await tenant.getData(`rent-revision decline ${number} ${second.revision_id}`)
  expect(declined.status).toBe('declined')
})
