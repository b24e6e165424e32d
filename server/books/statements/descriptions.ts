import type { Language } from '@kiraya/sdk/contract'
import { formatAddress } from '../../leases/lease-labels'
import { formatDate } from '../../pdf/formats'
import type { LeaseParties } from './parties'

type Described = [term: string, value: string]

/** Names both sides of a lease. */
export function describeParties({ landlord, tenants }: LeaseParties): Described[] {
  const names = tenants.map(({ name }) => name).join(', ')
  return [
    ['Landlord', landlord],
    [tenants.length > 1 ? 'Tenants' : 'Tenant', names],
  ]
}

/** Says what is let under which agreement. */
export function describeLease({ premises, agreement_number }: LeaseParties): Described[] {
  return [
    ['Unit', premises.unit_name],
    ['Address', formatAddress(premises)],
    ['Agreement', agreement_number],
  ]
}

type Period = { period_start: string | null; period_end: string | null }

/** A period as `15 Dec 2026 – 31 Dec 2026`; nothing if there is none. */
export function formatPeriod({ period_start, period_end }: Period, language: Language = 'en') {
  if (!period_start || !period_end) return ''
  return `${formatDate(period_start, language)} – ${formatDate(period_end, language)}`
}
