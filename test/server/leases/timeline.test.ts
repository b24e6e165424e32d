import { expect, test } from 'bun:test'
import type { Agreement } from '../../../db/entities'
import { chainEntry } from '../../../server/leases/timeline'
import { completeProfile, type TestUser } from '../../support/users'
import { start } from './signing/provider'
import { signingServer } from './signing/signing-fixtures'

const { provider, server, createSimpleDraft, tell, signs, getTimeline } = signingServer()

test('the timeline shows who did what, from the draft to the close-out', async () => {
  const { owner, tenant, agreement, path } = await createSimpleDraft()
  await owner.patch(path, { rent_amount: 26000, late_fee: 500, pets_allowed: false })
  await owner.patch(path, { rent_amount: 26000 })
  const first = await signs(owner, agreement, owner)
  const { data: cancelled } = await start(owner, agreement, tenant)
  await owner.post(`${path}/signatures/${cancelled.signature_id}/cancel`)
  const { data: overdue } = await start(owner, agreement, tenant)
  const expired = provider.ends(overdue.signature_id, 'expired')
  await tell('ESIGN_EXPIRED', expired)
  const { data } = await start(tenant, agreement, tenant)
  const request = provider.of(data.signature_id)
  const opened = { errCode: 'invaild_otp', signerStatus: 'in_progress' }
  for (const nonce of [1, 2]) await tell('ESIGN_OTP_FAILED', request, { ...opened, nonce })
  provider.ends(data.signature_id, 'declined')
  await tell('ESIGN_FAILED', request, { errCode: 'signer_declined' })
  const again = await signs(tenant, agreement, tenant)
  await owner.post(`${path}/terminate`, { reason: 'Sold' })
  await owner.post(`${path}/complete`)

  const { entries, intact } = await getTimeline(tenant, agreement)
  const toSign = ({ signature_id }: { signature_id: string }) => ({ signer_id: tenant.id, signature_id })
  const ownSign = { signer_id: owner.id, signature_id: first }
  const snapshot = { snapshot_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(intact).toBe(true)
  expect(entries.map(({ type, actor_id, details }) => [type, actor_id, details])).toEqual([
    ['created', owner.id, {}],
    ['changed', owner.id, { fields: ['rent_amount', 'late_fee'] }],
    ['changed', owner.id, { fields: [] }],
    ['sent', owner.id, { ...ownSign, ...snapshot }],
    ['signed', owner.id, { ...ownSign, ...snapshot }],
    ['sent', owner.id, toSign(cancelled)],
    ['cancelled', owner.id, toSign(cancelled)],
    ['reissued', owner.id, toSign(overdue)],
    ['expired', null, toSign(overdue)],
    ['reissued', tenant.id, toSign(data)],
    ['viewed', tenant.id, toSign(data)],
    ['declined', tenant.id, { ...toSign(data), reason: 'signer_declined' }],
    ['reissued', tenant.id, toSign({ signature_id: again })],
    ['signed', tenant.id, { ...toSign({ signature_id: again }), ...snapshot }],
    ['activated', null, {}],
    ['terminated', owner.id, { termination_date: expect.any(String), reason: 'Sold' }],
    ['completed', owner.id, {}],
  ])
  expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1))
  expect(new Set(entries.map(({ hash }) => hash)).size).toBe(entries.length)
  for (const { occurred_at, hash } of entries)
    expect([occurred_at, hash]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
  expect(JSON.stringify(entries)).not.toContain(tenant.phone)
})

test('before they have signed, the timeline names the landlord to the tenant, and not the tenant to the landlord', async () => {
  const { owner, tenant, agreement, path } = await createSimpleDraft()
  for (const [person, last_name] of [
    [owner, 'Rao'],
    [tenant, 'Iyer'],
  ] as const)
    await completeProfile(person, { first_name: 'Asha', last_name })
  await start(owner, agreement, owner)
  await tenant.post(`${path}/decline`)

  const getNames = async (reader: TestUser) =>
    new Set((await getTimeline(reader, agreement)).entries.map(({ actor_name }) => actor_name))

  expect(await getNames(tenant)).toEqual(new Set(['Asha Rao', 'Asha Iyer']))
  expect(await getNames(owner)).toEqual(new Set(['Asha Rao', null]))
})

const NOW = new Date('2026-12-01T06:30:00.123Z')

// Hashes are stored, so that another way to compute them would make every timeline look changed.
test('the hash of an entry is that of its fields in JSON, the details by name, after the hash before', () => {
  const agreement = { agreement_id: '4b2d4f0e-6d0c-4c5b-9f57-0a6c0d6f3b11', timeline_length: 0 } as Agreement

  const created = chainEntry(agreement, NOW, 'created', 7)
  const terminated = chainEntry(agreement, NOW, 'terminated', null, {
    termination_date: '2026-12-01',
    reason: 'ಮಾರಾಟ',
  })

  expect([created.hash, terminated.hash]).toEqual([
    '32f245036cef3e3fa3acb88f33d243afff7248816cbd08a411690d3d55b8ddff',
    '6ec44434f57e2e348a1b3de88bccf6512643ddbaadab04d6e41955094d8704ca',
  ])
  expect(agreement).toMatchObject({ timeline_length: 2, timeline_hash: terminated.hash })
})

type Timeline = Awaited<ReturnType<typeof createTimeline>>

/** A draft with four entries: one for its creation, three for its changes. */
async function createTimeline() {
  const { owner, agreement, path } = await createSimpleDraft()
  for (const rent_amount of [1, 2, 3]) await owner.patch(path, { rent_amount })
  const id: number = agreement.id
  const change = (position: number, changes: object) =>
    server.db
      .updateTable('timeline_entries')
      .where('agreement_id', '=', id)
      .where('position', '=', position)
      .set(changes)
      .execute()
  const remove = (position: number) =>
    server.db
      .deleteFrom('timeline_entries')
      .where('agreement_id', '=', id)
      .where('position', '=', position)
      .execute()
  return { owner, id, change, remove }
}

test.each<[what: string, tamper: (timeline: Timeline) => Promise<unknown>]>([
  ['a changed time', ({ change }) => change(2, { occurred_at: new Date(0) })],
  ['a changed actor', ({ change }) => change(2, { actor_id: null })],
  ['changed details', ({ change }) => change(3, { details: { fields: [] } })],
  ['a changed type', ({ change }) => change(4, { type: 'signed' })],
  ['a removed entry', ({ remove }) => remove(2)],
  ['a removed last entry', ({ remove }) => remove(4)],
  [
    'a removed first entry, with the others moved up',
    async ({ change, remove }) => {
      await remove(1)
      for (const position of [2, 3, 4]) await change(position, { position: position - 1 })
    },
  ],
  [
    'an entry taken from another agreement',
    async ({ id, remove }) => {
      const other = await createTimeline()
      await remove(2)
      await other.change(2, { agreement_id: id })
    },
  ],
])('a timeline is not intact after %s', async (_, tamper) => {
  const timeline = await createTimeline()
  expect((await getTimeline(timeline.owner, timeline)).intact).toBe(true)
  await tamper(timeline)
  expect((await getTimeline(timeline.owner, timeline)).intact).toBe(false)
})
