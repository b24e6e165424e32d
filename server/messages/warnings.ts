import type { Warning, WarningCode, Language } from '@kiraya/sdk/contract'
import { CUSTOMARY_LATE_FEE_PERCENT, MODEL_TENANCY } from '../domain/rent-law'

const { residential, other } = MODEL_TENANCY.deposit_months
const notice = MODEL_TENANCY.revision_notice_months
const { entry_notice_hours } = MODEL_TENANCY
const percent = CUSTOMARY_LATE_FEE_PERCENT

/** What breaks a custom of renting or has no effect, and what a suggestion cannot know, in each language. */
export const warnings: Record<Language, Record<WarningCode, string>> = {
  en: {
    deposit_above_custom: `The deposit is above ${residential} months' rent of a residence, or ${other} of another unit: more than the Model Tenancy Act allows, where a state has adopted it`,
    escalation_after_tenure:
      'The rent never rises: the first escalation comes after the tenure, and a renewal counts its months anew',
    late_fee_above_custom: `The late fee is above ${percent} % of the rent a year: a court may cut it down`,
    revision_notice_short: `The new rent comes with less than ${notice} months' notice, which the Model Tenancy Act asks for, where a state has adopted it`,
    tds_per_payer:
      'The threshold holds for each tenant: one whose part of the rent is not above it deducts nothing',
    visit_notice_short: `The visit is in less than ${entry_notice_hours} hours: the Model Tenancy Act asks for so much notice of an entry, where a state has adopted it`,
  },
  hi: {
    deposit_above_custom: `जमा राशि घर के ${residential} महीने या दूसरी यूनिट के ${other} महीने के किराये से ज़्यादा है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ इतनी राशि नहीं ली जा सकती`,
    escalation_after_tenure:
      'किराया कभी नहीं बढ़ेगा: पहली बढ़ोतरी अवधि के बाद आती है, और नवीनीकरण में महीने फिर से गिने जाते हैं',
    late_fee_above_custom: `देरी का शुल्क साल में किराये के ${percent} % से ज़्यादा है: अदालत इसे घटा सकती है`,
    revision_notice_short: `नए किराये की सूचना ${notice} महीने से कम समय पहले दी गई है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ इतना समय देना होता है`,
    tds_per_payer: 'यह सीमा हर किरायेदार पर अलग से लागू है: जिसका हिस्सा इससे ज़्यादा नहीं है, वह कर नहीं काटता',
    visit_notice_short: `मुलाकात ${entry_notice_hours} घंटे से कम समय में है: जिन राज्यों में मॉडल किरायेदारी अधिनियम लागू है, वहाँ घर में आने से पहले इतने समय की सूचना देनी होती है`,
  },
}

/** A warning is stored in English, as a result is. */
export const toWarning = (code: WarningCode): Warning => ({ code, message: warnings.en[code] })

/** Puts the warnings of a result into a language; a result without them stays as it is. */
export function translateWarnings<T extends object>(result: T, language: Language): T {
  if (!hasWarnings(result)) return result
  const translated = result.warnings.map(({ code }) => ({ code, message: warnings[language][code] }))
  return { ...result, warnings: translated }
}

function hasWarnings(result: object): result is { warnings: Warning[] } {
  return 'warnings' in result && Array.isArray(result.warnings)
}
