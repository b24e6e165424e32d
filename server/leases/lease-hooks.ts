import type { EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'

/** The transaction of a change, and who makes it, if a user does. */
type LeaseChange = { em: EntityManager; now: () => Date; actor?: { id: number } }

/** What other rooms do when a lease changes, in the transaction of the change. */
export type LeaseHooks = {
  /** All have signed, and the lease is flushed as ACTIVE. */
  afterActivation: (change: LeaseChange, agreement: Agreement) => Promise<void>
  /** The lease has ended on its `termination_date`, and is flushed as TERMINATED. */
  afterEnd: (change: LeaseChange, agreement: Agreement) => Promise<void>
  /** @throws A fault if the lease must not be closed; its status is set afterwards. */
  beforeCompletion: (change: LeaseChange, agreement: Agreement) => Promise<void>
}
