import type { ExpressionBuilder } from 'kysely'
import { getKysely, SQL_TRUE, type EntityManager, type Tables } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { badRequest } from '../faults'

type Agreements = Omit<Tables, 'a'> & { a: Tables['agreements'] }
type AgreementCondition = ExpressionBuilder<Agreements, 'a'>
type OpenAgreement = Pick<Agreement, 'agreement_id' | 'agreement_number' | 'status'>

/** @throws BAD_REQUEST Agreements that are active or being signed need the user; `details` lists them. */
export async function requireNoOpenAgreements(em: EntityManager, now: Date, userId: number) {
  const agreements = await getKysely(em)
    .selectFrom('agreements as a')
    .where('a.is_active', '=', SQL_TRUE)
    .where(e => e.or([isParty(e, userId), isSigner(e, userId, now)]))
    .select(['a.agreement_id', 'a.agreement_number', 'a.status'])
    .orderBy('a.id')
    .execute()
  if (agreements.length > 0) throw badRequest(toMessage(agreements), agreements)
}

/** An agreement that is active or being signed needs its landlord and its tenants. */
function isParty(e: AgreementCondition, userId: number) {
  const isTenant = e.exists(
    e
      .selectFrom('agreement_tenants as t')
      .where('t.agreement_id', '=', e.ref('a.id'))
      .where('t.tenant_id', '=', userId)
      .select('t.id'),
  )
  return e.and([
    e('a.status', 'in', ['PENDING', 'ACTIVE']),
    e.or([e('a.landlord_id', '=', userId), isTenant]),
  ])
}

/** A landlord can replace a manager who has not signed and is not asked to sign a waiting agreement. */
function isSigner(e: AgreementCondition, userId: number, now: Date) {
  const signature = e
    .selectFrom('agreement_signatures as s')
    .where('s.agreement_id', '=', e.ref('a.id'))
    .where('s.signer_id', '=', userId)
    .where(s =>
      s.or([
        s('s.status', '=', 'SIGNED'),
        s.and([s('s.status', '=', 'PENDING'), s('s.expires_at', '>', now.toISOString())]),
      ]),
    )
    .select('s.id')
  return e.and([e('a.status', 'in', ['DRAFT', 'PENDING']), e.exists(signature)])
}

function toMessage(agreements: OpenAgreement[]) {
  const names = agreements.map(({ agreement_number, status }) => `${agreement_number} (${status})`)
  return `Terminate these agreements first: ${names.join(', ')}`
}
