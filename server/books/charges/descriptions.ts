import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import type { RecurringCharge } from '../../../db/entities'
import { getWords } from '../../messages'
import { bouncedCheque, chargeLabels, revised } from '../../messages/charges'
import { RENT_ITEM, type Instalment } from '../../leases/schedule'

/** The words of descriptions in each language, as the JSON that queries look them up in: `{"rent":"Rent", …}`. */
export const chargeWords: Record<Language, string> = { en: toChargeWords('en'), hi: toChargeWords('hi') }

function toChargeWords(language: Language) {
  const words = Object.entries({ ...chargeLabels, bounced_cheque: bouncedCheque, revised })
  return JSON.stringify(Object.fromEntries(words.map(([name, each]) => [name, getWords(each, language)])))
}

/**
 * What a charge of a query is for, in the words of its reader: as a person wrote it, else by its type. What is
 * written of a bounced cheque is its number, and a late fee names its charge. The words are one value of the
 * statement: written into it, they would make it several times as long, and each execution dearer.
 */
export function describeCharge(charge: string, words: string) {
  const [source, baseId] = toRefs(charge, 'source', 'base_charge_id')
  return sql<string>`(select case when ${source} = 'late_fee' then word ->> 'late_fee' || ': ' || (
      select ${describeDue('base')} from charges base where base.id = ${baseId}
    ) else ${describeDue(charge)} end from (select (select ${words}::text::jsonb) as word) words)`
}

function describeDue(charge: string) {
  const [source, description, type, item, agreementId] = toRefs(
    charge,
    'source',
    'description',
    'type',
    'item',
    'agreement_id',
  )
  // Parking is posted as a charge of another type.
  const agreed = sql`(select recurring_charges -> ${item} - 1 ->> 'type' from agreements where id = ${agreementId})`
  const label = sql`case when ${type} = 'other' and ${item} > ${sql.lit(RENT_ITEM)} then ${agreed} else ${type} end`
  return sql`case when ${source} = 'bounced_cheque'
    then concat_ws(' ', word ->> 'bounced_cheque', ${description})
    else concat(coalesce(${description}, word ->> ${label}),
      case when ${item} < ${sql.lit(RENT_ITEM)} then word ->> 'revised' end) end`
}

const toRefs = (charge: string, ...columns: string[]) => columns.map(column => sql.ref(`${charge}.${column}`))

/** What an instalment is for that is not posted. */
export function describeInstalment(
  { item, description }: Instalment,
  recurring: RecurringCharge[] | null | undefined,
  language: Language,
) {
  const type = item === RENT_ITEM ? 'rent' : recurring![item - 1]!.type
  return description ?? getWords(chargeLabels[type], language)
}
