import { freshPhone } from '../../support/users'
import { OTP, type Shell } from '../shell'

const landlordPhone = freshPhone()

/** Who rents which unit on which terms, all from 1 April 2026. */
const leases = {
  'A-101': {
    tenants: ['anil'],
    terms: '--months 6 --rent 25000 --deposit 50000 --escalation 5 --escalation-months 6',
  },
  'A-102': { tenants: ['bela', 'chetan'], terms: '--months 12 --rent 30000 --deposit 60000' },
  'A-103': {
    tenants: ['deepa'],
    terms:
      '--months 12 --rent 20000 --deposit 40000 --late-fee 500 --grace-days 5 ' +
      '--recurring-charge "maintenance:1500:Society maintenance"',
  },
  'A-104': { tenants: ['esha', 'farhan'], terms: '--months 12 --rent 60000 --deposit 120000' },
  'A-105': { tenants: ['gita'], terms: '--months 12 --rent 18000 --deposit 36000' },
  'A-106': { tenants: ['hari'], terms: '--months 12 --rent 25000 --deposit 100000' },
}
type Unit = keyof typeof leases

/** `A-101` is let by WH-101. */
export const toLease = (unit: string) => unit.replace('A', 'WH')

/** A session ends after a week, so everybody signs in when the clock has moved. */
export const signIn = ({ getData }: Shell, profile: string, phone: string) =>
  getData(`login --profile ${profile} --phone ${phone} --otp ${OTP}`)

/** Moves the sandbox's clock to ten in the morning of a day in India, and signs the landlord in. */
export async function goTo(year: Shell, day: string) {
  await year.getData(`sandbox clock set ${day}T10:00:00+05:30`)
  await signIn(year, 'default', landlordPhone)
}

/** A house with six units, which are let from 1 April 2026. Returns the tenants' phone numbers. */
export async function letHouse(year: Shell, url: string) {
  const { getData } = year
  await getData('sandbox clock set 2026-03-25T10:00:00+05:30')
  await getData(
    `onboard --phone ${landlordPhone} --otp ${OTP} --first-name Asha --last-name Rao --email asha@example.com`,
  )
  await getData(
    'profile complete --first-name Asha --last-name Rao --email asha@example.com --pan ABCPR1234F',
  )
  await getData('property create --pin-code 560048 --property-type apartment --alias-name "White House"')
  const phones: Record<string, string> = {}
  for (const [unit, { tenants, terms }] of Object.entries(leases)) {
    await getData(`unit create "White House" --unit-name ${unit}`)
    for (const tenant of tenants) {
      phones[tenant] = freshPhone()
      await getData(`tenant create --phone ${phones[tenant]} --first-name ${tenant}`)
    }
    const named = tenants.map(tenant => `--tenant ${tenant}`).join(' ')
    await getData(
      `agreement create --unit "White House/${unit}" ${named} --agreement-number ${toLease(unit)} ${terms}
        --start 2026-04-01 --due-day 5 --notice-days 30 --document-url ${url}/sandbox/files/sample-lease.pdf`,
    )
    await sign(year, toLease(unit), leases[unit as Unit].tenants)
  }
  return phones
}

/** Each party signs on the provider's page. */
export async function sign({ getData }: Shell, lease: string, tenants: string[]) {
  for (const signer of ['', ...tenants.map(tenant => `--signer ${tenant}`)]) {
    const { signing_url } = await getData(`agreement sign ${lease} ${signer}`)
    await getData(`sandbox sign ${signing_url}`)
  }
}
