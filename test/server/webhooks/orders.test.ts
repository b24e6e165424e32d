import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { query } from '../../../db/orm'
import { reconcileSignatures } from '../../../server/jobs/reconcile'
import { createDraft, signInUser } from '../../support/users'
import { clock, server } from '../../support/server'
import { signingProvider } from '../agreements/signing/provider'

const AGREEMENTS = 1000
const provider = signingProvider()
const time = clock()
const it = server({ env: provider.env, overrides: { now: time.now }, poolSize: 20 })

/** What a party does in the end, what the provider tells of it on the way, and what it knows then. */
const courses = {
  signed: {
    events: [
      ['ESIGN_REQUEST_CREATED'],
      ['ESIGN_OTP_FAILED', 'otp_expired'],
      ['ESIGN_OTP_FAILED', 'invaild_otp'],
      ['ESIGN_COMPLETE'],
    ],
    known: { status: 'sign_complete', signerStatus: 'signed', errCode: null },
  },
  declined: {
    events: [
      ['ESIGN_REQUEST_CREATED'],
      ['ESIGN_OTP_FAILED', 'exceeded_otp_attempt'],
      ['ESIGN_FAILED', 'signer_declined'],
    ],
    known: { status: 'sign_in_progress', signerStatus: 'in_progress', errCode: 'signer_declined' },
  },
} as const
type Course = keyof typeof courses
const pairs: [Course, Course][] = [
  ['signed', 'signed'],
  ['signed', 'declined'],
  ['declined', 'declined'],
  ['signed', 'signed'],
]

/** The same numbers for the same seed. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

test(`${AGREEMENTS} random orders of what the provider tells, with losses, repetitions and several at once, end in the same states`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const next = random(seed)
  const db = query(it.em())
  const owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const { agreement } = await createDraft(owner, [tenant])
  // As many copies, each of a unit of its own, sent to both parties.
  await sql`insert into property_units (property_id, unit_name, landlord_id, managed_by_id) select u.property_id, 'copy', u.landlord_id, u.managed_by_id from property_units u, generate_series(1, ${AGREEMENTS}) where u.id = ${agreement.property_unit_id}`.execute(
    db,
  )
  const { rows: copies } = await sql<{
    id: number
  }>`insert into agreements (agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, rent_due_day, notice_period_days, status)
    select 'C', a.document_url, u.id, a.landlord_id, a.agreement_start_date, a.agreement_end_date, a.tenure_in_months, a.rent_amount, a.rent_due_day, a.notice_period_days, 'PENDING' from agreements a, property_units u where a.id = ${agreement.id} and u.unit_name = 'copy' returning id`.execute(
    db,
  )
  await db
    .insertInto('agreement_tenants')
    .values(copies.map(({ id }) => ({ agreement_id: id, tenant_id: tenant.id })))
    .execute()
  const requests = copies.flatMap(({ id }, index) =>
    [owner, tenant].map((signer, party) => ({
      request: crypto.randomUUID(),
      signature: crypto.randomUUID(),
      agreement_id: id,
      signer,
      course: pairs[index % pairs.length]![party]!,
    })),
  )
  for (let from = 0; from < requests.length; from += 500)
    await db
      .insertInto('agreement_signatures')
      .values(
        requests.slice(from, from + 500).map(({ request, signature, agreement_id, signer }) => ({
          signature_id: signature,
          agreement_id,
          signer_id: signer.id,
          signer_role: signer === owner ? 'LANDLORD' : 'TENANT',
          provider: 'setu',
          provider_request_id: request,
          provider_signature_id: `signer-${request}`,
          signing_url: 'https://sign.example.com/x',
          expires_at: new Date(time.now().getTime() + 72 * 3_600_000),
          created_at: time.now(),
        })),
      )
      .execute()

  const deliveries: { at: number; payload: string }[] = []
  for (const [index, { request: id, signature: documentId, signer, course }] of requests.entries()) {
    const kept = {
      id,
      documentId,
      signer: { identifier: signer.phone, displayName: 'x' },
      status: 'sign_initiated',
      signerStatus: 'pending',
      errCode: null,
      cancelled: false,
    }
    for (const [event, errCode = null] of courses[course].events) {
      const final = event === 'ESIGN_COMPLETE' || event === 'ESIGN_FAILED'
      const payload = JSON.stringify(
        provider.news(event, final ? { ...kept, ...courses[course].known } : kept, { errCode }),
      )
      // Lost, told once or twice; around its own agreement's others, whatever the order.
      for (let times = Math.floor(next() * 2.5); times > 0; times--)
        deliveries.push({ at: Math.floor(index / 2) + next() * 3, payload })
    }
    provider.kept.set(id, { ...kept, ...courses[course].known })
  }
  deliveries.sort((one, other) => one.at - other.at)
  for (let from = 0; from < deliveries.length; from += 12) {
    const answers = await Promise.all(
      deliveries.slice(from, from + 12).map(({ payload }) => provider.webhook(it.url, payload)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }

  // Whatever was lost is asked for.
  for (let hour = 0, open = 1; open && hour < 60; hour++) {
    time.advance(3_600_000)
    for (let batch = 0; batch < (2 * AGREEMENTS) / 50; batch++) await reconcileSignatures(it.deps)
    open = (
      await sql<{
        open: number
      }>`select count(*) as open from agreement_signatures where status = 'PENDING'`.execute(db)
    ).rows[0]!.open
  }

  const { rows } = await sql<{
    id: number
    status: string
    signed: boolean
    signatures: string[]
    activated: number
    told: number
    told_twice: number
  }>`
    select a.id, a.status, a.signed_date is not null as signed,
      array(select lower(s.status) from agreement_signatures s where s.agreement_id = a.id order by s.id) as signatures,
      (select count(*) from agreement_events v where v.agreement_id = a.id and v.type = 'activated') as activated,
      (select count(*) from agreement_events v where v.agreement_id = a.id and v.type in ('signed', 'declined')) as told,
      (select count(*) from (select 1 from agreement_events v where v.agreement_id = a.id group by v.type, v.details having count(*) > 1) twice) as told_twice
    from agreements a where a.agreement_number = 'C' order by a.id`.execute(db)
  const expected = copies
    .toSorted((a, b) => a.id - b.id)
    .map(({ id }) => {
      const ends = requests
        .filter(request => request.agreement_id === id)
        .map(({ course }) => course as string)
      const all = ends.every(end => end === 'signed')
      return {
        id,
        status: all ? 'ACTIVE' : 'PENDING',
        signed: all,
        signatures: ends,
        activated: all ? 1 : 0,
        told: 2,
        told_twice: 0,
      }
    })
  for (const [index, row] of rows.entries()) expect({ seed, ...row }).toEqual({ seed, ...expected[index]! })
  expect(rows.length).toBe(AGREEMENTS)
}, 180_000)
