import { closeBooks } from './deposits/service'
import type { LeaseHooks } from '../leases/lease-hooks'
import { getPosting } from './ledger/books'
import { openBooks } from './charges/opening'
import { endSchedule } from './charges/schedule-end'
import { resumeSchedule } from './charges/schedule-posting'

/** The books follow the life of their lease. */
export const bookHooks: LeaseHooks = {
  afterActivation: (change, agreement) => openBooks(change.em, agreement, getPosting(change)),
  afterEnd: (change, agreement, endedOn) =>
    agreement.status === 'ACTIVE'
      ? resumeSchedule(change.em, agreement, endedOn)
      : endSchedule(change.em, agreement, endedOn, getPosting(change)),
  beforeCompletion: (change, agreement) => closeBooks(change.em, agreement, getPosting(change)),
}
