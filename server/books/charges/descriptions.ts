import { sql, type Expression } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import type { RecurringCharge } from '../../../db/entities'
import { getWords } from '../../messages'
import { bouncedCheque, chargeLabels, revised } from '../../messages/charges'
import { RENT_ITEM, type Instalment } from './schedule'

/** The words of descriptions as `{ en: { rent: 'Rent', … }, hi: … }`, so that a query looks one up by the language. */
const catalogue = sql.lit(
  JSON.stringify({
    en: getDescriptionWords('en'),
    hi: getDescriptionWords('hi'),
  }),
)

function getDescriptionWords(language: Language) {
  const words = Object.entries({ ...chargeLabels, bounced_cheque: bouncedCheque, revised })
  return Object.fromEntries(words.map(([name, each]) => [name, getWords(each, language)]))
}

/**
 * What a charge of a query is for, in the language of its reader: as a person wrote it, else by its type. What is
 * written of a bounced cheque is its number, and a late fee names its charge.
 */
export function describeCharge(charge: string, language: Language) {
  const [source, baseId] = toRefs(charge, 'source', 'base_charge_id')
  return sql<string>`case when ${source} = 'late_fee' then ${toWord(language, sql`'late_fee'`)} || ': ' || (
      select ${describeDue('base', language)} from charges base where base.id = ${baseId}
    ) else ${describeDue(charge, language)} end`
}

function describeDue(charge: string, language: Language) {
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
    then concat_ws(' ', ${toWord(language, sql`'bounced_cheque'`)}, ${description})
    else concat(coalesce(${description}, ${toWord(language, label)}),
      case when ${item} < ${sql.lit(RENT_ITEM)} then ${toWord(language, sql`'revised'`)} end) end`
}

const toRefs = (charge: string, ...columns: string[]) => columns.map(column => sql.ref(`${charge}.${column}`))

const toWord = (language: Language, name: Expression<unknown>) =>
  sql`(${catalogue}::jsonb #>> array[${language}, ${name}])`

/** What an instalment is for that is not posted. */
export function describeInstalment(
  { item, description }: Instalment,
  recurring: RecurringCharge[] | null | undefined,
  language: Language,
) {
  const type = item === RENT_ITEM ? 'rent' : recurring![item - 1]!.type
  return description ?? getWords(chargeLabels[type], language)
}
