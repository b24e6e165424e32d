import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { sendReminders } from '../../../server/jobs/send-reminders'
import { fill } from '../../bench/fill'
import { testServer } from '../../support/server'

type Statement = { text: string; values: unknown[] }
type Plan = { 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }

const DUE = 500
const statements: Statement[] = []
const server = testServer({
  overrides: { sendReminder: () => Promise.resolve() },
  observe: (text, _, values) => void statements.push({ text, values: [...values] }),
})

const countRows = (plan: Plan): number =>
  plan['Actual Rows'] * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), 0)

test('the reminders of a landlord to one person are found by reading their requests a few times', async () => {
  const url = new URL(server.deps.config.DATABASE_URL!)
  const [host, database] = [url.searchParams.get('host')!, url.pathname.slice(1)]
  await using sql = new Bun.SQL({ path: `${host}/.s.PGSQL.5432`, username: 'kiraya', database, max: 1 })
  await fill(sql, DUE * 2)
  await sql.unsafe(`
    update agreements set status = 'PENDING', is_active = true, landlord_id = 1 where id <= ${DUE};
    delete from agreement_signatures where agreement_id <= ${DUE};
    insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, expires_at, created_at)
      select id, 2, 'TENANT', 'PENDING', 'sandbox', now() + interval '10 days', now() - interval '2 days'
      from agreements where id <= ${DUE};
    -- By the statistics a person has few requests, and an agreement as well.
    insert into agreement_signatures (agreement_id, signer_id, signer_role, status, provider, expires_at, created_at)
      select agreement.id, person.id, 'TENANT', 'EXPIRED', 'sandbox', now(), now() - interval '90 days'
      from agreements agreement
      join users person on person.id % ${DUE * 2} between agreement.id % ${DUE * 2} and agreement.id % ${DUE * 2} + 3
      where agreement.id > ${DUE} and person.id > 2;
    analyze`)
  await sendReminders(server.deps)
  const claim = statements.find(({ text }) => text.includes('skip locked'))!
  await sql`update agreement_signatures set next_reminder_at = now() - interval '1 hour' where signer_id = 2`

  const client = new Client({ host, user: 'kiraya', database })
  await client.connect()
  const { rows } = await client.query(`explain (analyze, format json) ${claim.text}`, claim.values)
  await client.end()

  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  expect(countRows(plan)).toBeGreaterThan(DUE)
  expect(countRows(plan)).toBeLessThan(50 * DUE)
})
