import * as bookkeeping from './bookkeeping'
import type { Step } from './flow'
import * as leasing from './leasing'
import * as onboarding from './onboarding'

/** In the order in which they run; each may use what those before it made. */
export const smokeSteps: Step[] = [
  { title: 'see the server ready', run: onboarding.checkHealth },
  { title: 'sign in a landlord', run: onboarding.signInLandlord },
  { title: 'complete the profile', run: onboarding.completeProfile },
  { title: 'verify the identity', run: onboarding.verifyIdentity },
  { title: 'see the dashboard', run: onboarding.checkDashboard },
  { title: 'create a property with units', run: leasing.createProperty },
  { title: 'create a tenant', needs: 'users of its own', run: leasing.createTenant },
  { title: 'create an agreement', needs: 'the sandbox', run: leasing.createAgreement },
  { title: 'sign as the landlord', run: leasing.signAsLandlord },
  { title: 'sign as the tenant', run: leasing.signAsTenant },
  { title: 'see the agreement active', run: leasing.checkActivation },
  { title: 'read the timeline', run: leasing.checkTimeline },
  { title: 'download the signed document', run: leasing.checkDocument },
  { title: 'download the certificate', run: leasing.checkCertificate },
  { title: 'see the deposit and the rent charged', run: bookkeeping.checkCharges },
  { title: 'settle them with a payment', run: bookkeeping.recordPayment },
  { title: 'pay back what was paid too much', run: bookkeeping.refundAdvance },
  { title: 'take a payment back', run: bookkeeping.takePaymentBack },
  { title: 'terminate the agreement', run: leasing.endAgreement },
  { title: 'settle and refund the deposit', run: bookkeeping.refundDeposit },
  { title: 'complete the agreement', run: bookkeeping.closeAgreement },
  { title: 'delete the property', run: leasing.deleteProperty },
  { title: 'sign out', run: onboarding.signOut },
]
