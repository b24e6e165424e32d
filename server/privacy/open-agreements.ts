import type { ExpressionBuilder } from 'kysely'
import { getKysely, SQL_TRUE, type EntityManager, type Tables } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { refuse } from '../faults'
import { isPartyOrSigner, toUserId } from './ownership'

type Agreements = Omit<Tables, 'a'> & { a: Tables['agreements'] }
type AgreementCondition = ExpressionBuilder<Agreements, 'a'>
type OpenAgreement = Pick<Agreement, 'agreement_id' | 'agreement_number' | 'status'>

/** @throws BAD_REQUEST Agreements that are active, or that the user has signed, need them; `details` lists them. */
export async function requireNoOpenAgreements(em: EntityManager, userId: number) {
  const agreements = await getKysely(em)
    .selectFrom('agreements as a')
    .where(isPartyOrSigner('a.id', toUserId(userId)))
    .where('a.is_active', '=', SQL_TRUE)
    .where(e => e.or([isParty(e, userId), isSigner(e, userId)]))
    .select(['a.agreement_id', 'a.agreement_number', 'a.status'])
    .orderBy('a.id')
    .execute()
  if (agreements.length > 0)
    throw refuse('agreements_open', { agreements: agreements.map(toLabel) }, { details: agreements })
}

/** An active agreement needs its landlord and its tenants. */
function isParty(e: AgreementCondition, userId: number) {
  const isTenant = e.exists(
    e
      .selectFrom('agreement_tenants as t')
      .where('t.agreement_id', '=', e.ref('a.id'))
      .where('t.tenant_id', '=', userId)
      .select('t.id'),
  )
  return e.and([e('a.status', '=', 'ACTIVE'), e.or([e('a.landlord_id', '=', userId), isTenant])])
}

/** One that is being signed needs those who have signed it. To be named in it is not enough. */
function isSigner(e: AgreementCondition, userId: number) {
  const signature = e
    .selectFrom('agreement_signatures as s')
    .where('s.agreement_id', '=', e.ref('a.id'))
    .where('s.signer_id', '=', userId)
    .where('s.status', '=', 'SIGNED')
    .select('s.id')
  return e.and([e('a.status', '=', 'PENDING'), e.exists(signature)])
}

const toLabel = ({ agreement_number, status }: OpenAgreement) => `${agreement_number} (${status})`
