import type { Language } from '@kiraya/sdk/contract'
import type { Agreement } from '../../db/entities'
import { formatDate } from '../domain/formats'
import { getWords } from '../messages'
import type { Premises } from './snapshots'
import type { SignerRole } from './states'

export const roleLabels: Record<SignerRole, string> = {
  LANDLORD: 'Landlord',
  MANAGER: 'Manager',
  TENANT: 'Tenant',
}

const SURVEY_NUMBER = ['Survey No.', 'सर्वे नं.'] as const

/** The address of a unit's building in one line, each part once. */
export function formatAddress(premises: Premises, language: Language = 'en'): string {
  const parts = [
    premises.society_building ?? premises.alias_name,
    premises.survey_number && `${getWords(SURVEY_NUMBER, language)} ${premises.survey_number}`,
    premises.road_name,
    premises.locality,
    premises.landmark,
    premises.city,
    premises.district,
  ]
  const differentParts = [...new Set(parts)].filter(Boolean)
  return `${differentParts.join(', ')}, ${premises.state} ${premises.pin_code}, ${premises.country}`
}

type Term = Pick<Agreement, 'agreement_start_date' | 'agreement_end_date' | 'tenure_in_months'>

/** A term as `1 Dec 2026 to 31 Oct 2027 (11 months)`. */
export function formatTerm({ agreement_start_date, agreement_end_date, tenure_in_months }: Term): string {
  const period = `${formatDate(agreement_start_date)} to ${formatDate(agreement_end_date)}`
  return `${period} (${tenure_in_months} ${tenure_in_months === 1 ? 'month' : 'months'})`
}
