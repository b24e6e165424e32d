import type { EntityManager } from '@mikro-orm/core'

type Clock = { now: () => Date }

/** Gives an entity manager a clock, as the parameters of a filter: its own forks and hooks of columns see no other. */
export function setClock(em: EntityManager, now: Clock['now']) {
  em.setFilterParams('clock', { now } satisfies Clock)
}

/** Returns the time by the clock of the entity manager, for a hook of a column. */
export function readClock(_: unknown, em: EntityManager) {
  return em.getFilterParams<Clock>('clock').now()
}
