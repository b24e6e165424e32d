import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import type { RecurringCharge } from '../../../db/entities'
import { getWords, type Words } from '../../messages'
import { bouncedCheque, chargeLabels, revised } from '../../messages/labels'
import { RENT_ITEM, type Instalment } from './schedule'

/**
 * What a charge of a query is for, in the language of its reader: as a person wrote it, else by its type. What is
 * written of a bounced cheque is its number, and a late fee names its charge.
 */
export function describeCharge(charge: string, language: Language) {
  return sql<string>`case when ${language} = 'hi' then ${describe(charge, 'hi')} else ${describe(charge, 'en')} end`
}

function describe(charge: string, language: Language) {
  const [source, baseId] = toRefs(charge, 'source', 'base_charge_id')
  return sql`case when ${source} = 'late_fee' then ${toWords(chargeLabels.late_fee, language)} || ': ' || (
      select ${describeDue('base', language)} from charges base where base.id = ${baseId}
    ) else ${describeDue(charge, language)} end`
}

function describeDue(charge: string, language: Language) {
  const [source, description, item] = toRefs(charge, 'source', 'description', 'item')
  const suffix = sql`case when ${item} < ${sql.lit(RENT_ITEM)} then ${toWords(revised, language)} else '' end`
  return sql`case when ${source} = 'bounced_cheque'
    then concat_ws(' ', ${toWords(bouncedCheque, language)}, ${description})
    else coalesce(${description}, ${toLabel(charge, language)}) || ${suffix} end`
}

function toLabel(charge: string, language: Language) {
  const [type, item, agreementId] = toRefs(charge, 'type', 'item', 'agreement_id')
  // Parking is posted as a charge of another type.
  const agreed = sql`(select recurring_charges -> ${item} - 1 ->> 'type' from agreements where id = ${agreementId})`
  const cases = Object.entries(chargeLabels).map(
    ([value, words]) => sql`when ${sql.lit(value)} then ${toWords(words, language)}`,
  )
  return sql`case case when ${type} = 'other' and ${item} > ${sql.lit(RENT_ITEM)} then ${agreed} else ${type} end
    ${sql.join(cases, sql` `)} end`
}

const toRefs = (charge: string, ...columns: string[]) => columns.map(column => sql.ref(`${charge}.${column}`))

const toWords = (words: Words, language: Language) => sql.lit(getWords(words, language))

/** What an instalment is for that is not posted. */
export function describeInstalment(
  { item, description }: Instalment,
  recurring: RecurringCharge[] | null | undefined,
  language: Language,
) {
  const type = item === RENT_ITEM ? 'rent' : recurring![item - 1]!.type
  return description ?? getWords(chargeLabels[type], language)
}
