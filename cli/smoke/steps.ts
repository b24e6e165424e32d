import { UsageError } from '../exit-codes'
import * as bookkeeping from './bookkeeping'
import type { Flow } from './flow'
import * as leasing from './leasing'
import * as onboarding from './onboarding'

export type StepName =
  | 'health'
  | 'sign-in'
  | 'profile'
  | 'kyc'
  | 'dashboard'
  | 'property'
  | 'tenant'
  | 'agreement'
  | 'sign-landlord'
  | 'sign-tenant'
  | 'active'
  | 'timeline'
  | 'document'
  | 'certificate'
  | 'charges'
  | 'payment'
  | 'refund'
  | 'reverse'
  | 'end'
  | 'deposit'
  | 'close'
  | 'delete'
  | 'sign-out'

export type Step = {
  name: StepName
  title: string
  /** The steps that have to run first. */
  needs: StepName[]
  requires?: 'own users' | 'sandbox'
  run: (flow: Flow) => Promise<unknown>
}

/** In the order in which they run. */
export const smokeSteps: Step[] = [
  { name: 'health', title: 'see the server ready', needs: [], run: onboarding.checkHealth },
  { name: 'sign-in', title: 'sign in a landlord', needs: [], run: onboarding.signInLandlord },
  { name: 'profile', title: 'complete the profile', needs: ['sign-in'], run: onboarding.completeProfile },
  { name: 'kyc', title: 'verify the identity', needs: ['profile'], run: onboarding.verifyIdentity },
  { name: 'dashboard', title: 'see the dashboard', needs: ['kyc'], run: onboarding.checkDashboard },
  {
    name: 'property',
    title: 'create a property with units',
    needs: ['sign-in'],
    run: leasing.createProperty,
  },
  {
    name: 'tenant',
    title: 'create a tenant',
    needs: ['sign-in'],
    requires: 'own users',
    run: leasing.createTenant,
  },
  {
    name: 'agreement',
    title: 'create an agreement',
    needs: ['property', 'tenant'],
    run: leasing.createAgreement,
  },
  {
    name: 'sign-landlord',
    title: 'sign as the landlord',
    needs: ['agreement'],
    requires: 'sandbox',
    run: leasing.signAsLandlord,
  },
  {
    name: 'sign-tenant',
    title: 'sign as the tenant',
    needs: ['agreement'],
    requires: 'sandbox',
    run: leasing.signAsTenant,
  },
  {
    name: 'active',
    title: 'see the agreement active',
    needs: ['kyc', 'sign-landlord', 'sign-tenant'],
    run: leasing.checkActivation,
  },
  { name: 'timeline', title: 'read the timeline', needs: ['agreement'], run: leasing.checkTimeline },
  { name: 'document', title: 'download the signed document', needs: ['active'], run: leasing.checkDocument },
  {
    name: 'certificate',
    title: 'download the certificate',
    needs: ['active'],
    run: leasing.checkCertificate,
  },
  {
    name: 'charges',
    title: 'see the deposit and the rent charged',
    needs: ['active'],
    run: bookkeeping.checkCharges,
  },
  {
    name: 'payment',
    title: 'settle them with a payment',
    needs: ['charges'],
    run: bookkeeping.recordPayment,
  },
  {
    name: 'refund',
    title: 'pay back what was paid too much',
    needs: ['payment'],
    run: bookkeeping.refundAdvance,
  },
  {
    name: 'reverse',
    title: 'take a payment back',
    needs: ['payment'],
    run: bookkeeping.takePaymentBack,
  },
  {
    name: 'end',
    title: 'terminate the agreement',
    needs: ['active'],
    run: leasing.endAgreement,
  },
  {
    name: 'deposit',
    title: 'settle and refund the deposit',
    needs: ['payment', 'end'],
    run: bookkeeping.refundDeposit,
  },
  {
    name: 'close',
    title: 'complete the agreement',
    needs: ['deposit'],
    run: bookkeeping.closeAgreement,
  },
  { name: 'delete', title: 'delete the property', needs: ['property'], run: leasing.deleteProperty },
  {
    name: 'sign-out',
    title: 'sign out',
    needs: ['sign-in'],
    requires: 'own users',
    run: onboarding.signOut,
  },
]

/** Returns the named steps with those that they need, in order; without names all. */
export function selectSteps(names?: string): Step[] {
  if (names === undefined) return smokeSteps
  const selected = new Set<StepName>()
  const add = ({ name, needs }: Step) => {
    selected.add(name)
    needs.forEach(need => add(getStep(need)))
  }
  names.split(',').forEach(name => add(getStep(name.trim())))
  return smokeSteps.filter(({ name }) => selected.has(name))
}

export function getStep(name: string) {
  const step = smokeSteps.find(candidate => candidate.name === name)
  if (step) return step
  throw new UsageError(
    `--only has an unknown step: ${name}. The steps are ${smokeSteps.map(known => known.name).join(', ')}`,
  )
}
