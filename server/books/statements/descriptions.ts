import type { Language } from '@kiraya/sdk/contract'
import { formatDate } from '../../domain/formats'

type Period = { period_start: string | null; period_end: string | null }

/** A period as `15 Dec 2026 – 31 Dec 2026`; nothing if there is none. */
export function formatPeriod({ period_start, period_end }: Period, language: Language) {
  if (!period_start || !period_end) return ''
  return `${formatDate(period_start, language)} – ${formatDate(period_end, language)}`
}
