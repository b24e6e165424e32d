const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const INDIA_OFFSET_MS = 5.5 * 3_600_000

const rupeeFormat = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
const countFormat = new Intl.NumberFormat('en-IN')

/** `2026-12-01` as `1 Dec 2026`. */
export function formatDate(date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** An instant as `21 Nov 2026, 15:04:05 IST`. */
export function formatInstant(instant: Date): string {
  const indian = new Date(instant.getTime() + INDIA_OFFSET_MS).toISOString()
  return `${formatDate(indian)}, ${indian.slice(11, 19)} IST`
}

/** 123456.5 as `₹1,23,456.50`. */
export const formatRupees = (amount: number) => rupeeFormat.format(amount)

/** 248113 as `2,48,113`. */
export const formatCount = (count: number) => countFormat.format(count)

/** `9876543210` as `******3210`. */
export const maskPhone = (phone: string) => `******${phone.slice(-4)}`
