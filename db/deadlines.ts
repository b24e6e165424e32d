import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request carries through its work. */
export type RequestContext = {
  id?: string
  /** The time that the database may still take for it. */
  leftMs: number | undefined
  /** Names the network that it came from. */
  readonly network?: string
  /** Runs work once one of its user's slots of the database is free. */
  takeSlot?: <T>(work: () => Promise<T>) => Promise<T>
  hasSlot?: boolean
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Returns the context of the request that the caller works for, if any. */
export function getRequestContext() {
  return storage.getStore()
}

/** Runs work whose waiting for the database adds up to `leftMs` at most; what outlives the work has no budget any more. */
export async function withQueryDeadline<T>(context: RequestContext, work: () => T): Promise<Awaited<T>> {
  try {
    return await storage.run(context, work)
  } finally {
    context.leftMs = undefined
  }
}

/** Lets the queries that the current request still sends take this time together, instead of what it has left. */
export function setQueryTime(ms: number) {
  const context = getRequestContext()
  if (context?.leftMs !== undefined) context.leftMs = ms
}

/** Uses the database in a slot of the request's user, if it has one. What runs within a slot takes no other. */
export function runInSlot<T>(work: () => Promise<T>): Promise<T> {
  const context = getRequestContext()
  if (!context?.takeSlot || context.hasSlot) return work()
  return context.takeSlot(async () => {
    context.hasSlot = true
    try {
      return await work()
    } finally {
      context.hasSlot = false
    }
  })
}

/** The database did not answer before the deadline. */
export class DatabaseTimeout extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The database did not answer in time')
  }
}

/**
 * Awaits work for the rest of the request's budget, and for `maxMs` at most.
 * @throws DatabaseTimeout The time is over; `onTimeout` was called, or the work was not even started.
 */
export function awaitInTime<T>(maxMs: number, start: () => Promise<T>, onTimeout: () => void): Promise<T> {
  const context = getRequestContext()
  const timeoutMs = Math.min(context?.leftMs ?? Infinity, maxMs)
  if (timeoutMs <= 0) return Promise.reject(new DatabaseTimeout())

  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const startedAt = performance.now()
  const spend = () => {
    if (context?.leftMs !== undefined) context.leftMs -= performance.now() - startedAt
  }
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    spend()
    onTimeout()
    reject(new DatabaseTimeout())
  }, timeoutMs)
  const settleBy = <V>(settle: (value: V) => void) => {
    return (value: V) => {
      clearTimeout(timer)
      if (!isOver) spend()
      settle(value)
    }
  }
  start().then(settleBy(resolve), settleBy(reject))
  return promise
}
