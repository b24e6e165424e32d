import type { Language } from '@kiraya/sdk/contract'

export const MONTHS: Record<Language, string[]> = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  hi: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
}

/** `2026-12-01` as `1 Dec 2026`. */
export function formatDate(date: string, language: Language = 'en'): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[language][Number(month) - 1]} ${year}`
}

let rupees: Intl.NumberFormat | undefined

/** 123456.5 as `₹1,23,456.50`. */
export function formatRupees(amount: number) {
  // Created at the first use: a server starts faster without it.
  rupees ??= new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
  return rupees.format(amount)
}

/** `9876543210` as `******3210`. */
export const maskPhone = (phone: string) => `******${phone.slice(-4)}`
