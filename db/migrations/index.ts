import { Foundation } from './0001-foundation'
import { Checks } from './0002-checks'
import { Evidence } from './0003-evidence'
import { Idempotency } from './0004-idempotency'
import { Erasure } from './0005-erasure'
import { Search } from './0006-search'
import { OtpAttempts } from './0007-otp-attempts'
import { Listings } from './0009-listings'
import { Snapshots } from './0010-snapshots'
import { KnownNetworks } from './0011-known-networks'
import { Invitations } from './0012-invitations'
import { Books } from './0013-books'
import { Pan } from './0014-pan'
import { PaymentDetails } from './0015-payment-details'
import { Positions } from './0016-positions'
import { RevisionWithdrawal } from './0017-revision-withdrawal'
import { BaseCharges } from './0018-base-charges'
import { PersonalData } from './0019-personal-data'
import { AwaitedSignatures } from './0020-awaited-signatures'

/** In the order of execution. A released name never changes. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-checks', class: Checks },
  { name: '0003-evidence', class: Evidence },
  { name: '0004-idempotency', class: Idempotency },
  { name: '0005-erasure', class: Erasure },
  { name: '0006-search', class: Search },
  { name: '0007-otp-attempts', class: OtpAttempts },
  { name: '0009-listings', class: Listings },
  { name: '0010-snapshots', class: Snapshots },
  { name: '0011-known-networks', class: KnownNetworks },
  { name: '0012-invitations', class: Invitations },
  { name: '0013-books', class: Books },
  { name: '0014-pan', class: Pan },
  { name: '0015-payment-details', class: PaymentDetails },
  { name: '0016-positions', class: Positions },
  { name: '0017-revision-withdrawal', class: RevisionWithdrawal },
  { name: '0018-base-charges', class: BaseCharges },
  { name: '0019-personal-data', class: PersonalData },
  { name: '0020-awaited-signatures', class: AwaitedSignatures },
]
