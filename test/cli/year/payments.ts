import { goTo, sign, signIn } from './house'
import type { Shell } from '../shell'

/** From April 2026 to March 2027, as YYYY-MM. */
const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const month = ((index + 3) % 12) + 1
  return `${index < 9 ? 2026 : 2027}-${String(month).padStart(2, '0')}`
})
const [APRIL, JULY, AUGUST, SEPTEMBER, OCTOBER] = [0, 3, 4, 5, 6].map(index => MONTHS[index]!)
const [JANUARY, FEBRUARY, MARCH] = MONTHS.slice(-3)

type Month = { year: Shell; month: string; phones: Record<string, string> }

/** The year's payments. On the fourth of each month the tenants pay, of whom some are late or pay otherwise. */
export async function playMonths(year: Shell, phones: Record<string, string>) {
  for (const month of MONTHS) {
    await goTo(year, `${month}-04`)
    const given = { year, month, phones }
    await payByReport(given)
    await payHalves(given)
    if (month !== JULY) await payWithMaintenance(given, '')
    await payInAdvance(given)
    await payByCheque(given)
    await payUntilTheEnd(given)
    if (month === JULY) await payLate(given)
    if (month === SEPTEMBER) await renew(given)
    if (month === FEBRUARY) await endEarly(given)
  }
}

/** the tenant reports each payment, and the landlord confirms it. */
async function payByReport({ year, month, phones }: Month) {
  const lease = month < OCTOBER! ? 'WH-101' : 'WH-101B'
  const amounts: Record<string, number> = { [APRIL!]: 75_000, [OCTOBER!]: 28_750 }
  const amount = amounts[month] ?? (month < OCTOBER! ? 25_000 : 26_250)
  await signIn(year, 'anil', phones.anil!)
  const { id } = await year.getData(
    `payment create --profile anil ${lease} --amount ${amount} --method upi --reference U1-${month}`,
  )
  await year.getData(`payment confirm ${id}`)
}

/** two tenants pay half each. */
async function payHalves({ year, month }: Month) {
  const amount = month === APRIL ? 45_000 : 15_000
  for (const payer of ['bela', 'chetan'])
    await year.getData(
      `payment create WH-102 --payer ${payer} --amount ${amount} --method bank_transfer --reference N-${payer}-${month}`,
    )
}

/** rent and maintenance at once. */
async function payWithMaintenance({ year, month }: Month, day: string, fee = 0) {
  const amount = (month === APRIL ? 61_500 : 21_500) + fee
  await year.getData(`payment create WH-103 --amount ${amount} --method upi --reference U3-${month}${day}`)
}

/** A-103 in July: on the 20th, after the days of grace, with the late fee of the rent. */
async function payLate(given: Month) {
  await goTo(given.year, `${given.month}-20`)
  await payWithMaintenance(given, '-20', 500)
}

/** one pays for a quarter, the other the last rent, less the tax on the whole year's. */
async function payInAdvance({ year, month }: Month) {
  const amounts: Record<string, number> = {
    [APRIL!]: 300_000,
    [JULY!]: 180_000,
    [OCTOBER!]: 180_000,
    [JANUARY!]: 120_000,
  }
  if (amounts[month])
    await year.getData(
      `payment create WH-104 --payer esha --amount ${amounts[month]} --method bank_transfer --reference Q-${month}`,
    )
  if (month !== MARCH) return
  const { amount: tax } = await year.getData('payment tds WH-104 --year 2026-27')
  await year.getData(
    `payment create WH-104 --payer farhan --amount ${60_000 - tax} --tds ${tax} --method upi --reference T-${month}`,
  )
}

/** by cheque; that of August bounces after its money was booked, at a price. */
async function payByCheque({ year, month }: Month) {
  const amount = month === APRIL ? 54_000 : 18_000
  const { id } = await year.getData(
    `payment create WH-105 --amount ${amount} --method cheque --reference C-${month}`,
  )
  await year.getData(`payment clear ${id}`)
  if (month !== AUGUST) return
  await goTo(year, `${month}-12`)
  await year.getData(`payment bounce ${id} --reason "Insufficient funds" --charge 500 --yes`)
  await year.getData(`payment create WH-105 --amount 18500 --method upi --reference U5-${month}`)
}

/** until January. */
async function payUntilTheEnd({ year, month }: Month) {
  if (month >= FEBRUARY!) return
  const amount = month === APRIL ? 125_000 : 25_000
  await year.getData(`payment create WH-106 --amount ${amount} --method upi --reference U6-${month}`)
}

/** A-101 in September: the next term, with a rent that is 5 % higher and a deposit that is 2,500 higher. */
async function renew({ year, month }: Month) {
  await goTo(year, `${month}-20`)
  await year.getData('agreement renew WH-101 --agreement-number WH-101B --deposit 52500')
  await sign(year, 'WH-101B', ['anil'])
}

/** A-106 in February: ends on the 10th, and the deposit settles what is open. */
async function endEarly({ year, month, phones }: Month) {
  await goTo(year, `${month}-10`)
  await year.getData('agreement terminate WH-106 --date 2027-02-10 --reason "Moved to Pune" --yes')
  await goTo(year, `${month}-15`)
  const { settlement_id } = await year.getData(
    `deposit settle WH-106 --refund-method bank_transfer --deduction "electricity:1430:Last bill"
      --deduction damage:12000:Painting --deduction damage:3500:Geyser`,
  )
  await signIn(year, 'hari', phones.hari!)
  await year.getData(`deposit accept WH-106 --settlement-id ${settlement_id} --profile hari`)
  await year.getData('deposit post WH-106 --reference 432156789012 --yes')
  await year.getData('agreement complete WH-106 --yes')
}
