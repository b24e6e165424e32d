import { getRequestContext } from '../../../db/deadlines'
import { createFairQueue, QueueFullError } from './fair-queue'
import { refuse } from '../../faults'

/** Leaves four of the ten connections to the database to others. */
const MAX_LONG_AT_ONCE = 6
const MAX_DASHBOARDS_AT_ONCE = 9
/** So many that a short one need not wait for long ones, which compute one at a time. */
const MAX_DOCUMENTS_AT_ONCE = 16
/** Leaves two; changes wait for a commit most of the time. */
const MAX_CHANGES_AT_ONCE = 8
/** A worker has memory for as many documents, of 10 MiB each. */
const MAX_SIGNINGS_AT_ONCE = 48
const MAX_OF_USER = 2
const MAX_KYC_READINGS_AT_ONCE = 2
const MAX_COUNTS_AT_ONCE = 6
const MAX_COUNTS_OF_SITE = 3
const MAX_WAITING = 200
const RETRY_AFTER_S = 2

/** @throws TOO_MANY_REQUESTS Too many requests wait. */
export type Turns = <T>(group: number | string, work: () => Promise<T>) => Promise<T>

/** Runs what reads many records of a user, so that the long responses of one do not starve the others. */
export const createLongResponses = () => createTurns(MAX_LONG_AT_ONCE, MAX_OF_USER, 'too_many_long_responses')

/**
 * Makes PDFs and rent rolls, one of a user at a time. To draw or compute a long one takes seconds, in which it must not
 * hold the turn of a list.
 */
export const createDocuments = () => createTurns(MAX_DOCUMENTS_AT_ONCE, 1, 'too_many_long_responses')

/** Runs dashboards, most of which are short: one connection stays for others. */
export const createDashboards = () =>
  createTurns(MAX_DASHBOARDS_AT_ONCE, MAX_OF_USER, 'too_many_long_responses')

/** Runs transactions that change records of a user: those that wait for one row do not hold all connections. */
export const createChanges = () => createTurns(MAX_CHANGES_AT_ONCE, MAX_OF_USER, 'too_many_changes')

/** Runs erasures, which may wait for records of others: one at a time, and in no turn of a change. */
export const createErasures = () => createTurns(1, 1, 'too_many_changes')

/**
 * Starts signings and stores signed documents: the address of a document may send it as slowly as it likes, while it
 * takes memory.
 */
export const createSignings = () => createTurns(MAX_SIGNINGS_AT_ONCE, MAX_OF_USER, 'too_many_changes')

/** Counts attempts to sign in against their limits, of one site three at a time: all change the same counters. */
export const createSignInCounts = () =>
  createTurns(MAX_COUNTS_AT_ONCE, MAX_COUNTS_OF_SITE, 'too_many_changes')

/** Reads results of identity checks from the provider, after webhooks that anyone may send: one of a check at a time. */
export const createKycReadings = () => createTurns(MAX_KYC_READINGS_AT_ONCE, 1, 'too_many_changes')

/**
 * Groups take turns, as users do. A request waits before it asks the database, so this takes none of its time there.
 * What is read is not read any more for a client that has gone meanwhile.
 */
function createTurns(
  maxAtOnce: number,
  maxOfGroup: number,
  reason: 'too_many_long_responses' | 'too_many_changes',
): Turns {
  const runInTurn = createFairQueue(maxAtOnce, MAX_WAITING, maxOfGroup)
  const isReading = reason === 'too_many_long_responses'

  return async (group, work) => {
    const request = getRequestContext()
    const workIfWanted = () => {
      if (isReading && request?.isGone?.()) throw new QueueFullError()
      return work()
    }
    try {
      return await runInTurn(String(group), workIfWanted)
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      throw refuse(reason, {}, { cause: error, retryAfterS: RETRY_AFTER_S })
    }
  }
}
