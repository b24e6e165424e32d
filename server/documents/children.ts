import { createChild } from '../work/children'
import type { Task } from './child'

/** For what is short, so that nobody waits for what is long. */
export const quickChild = createChild<Task>(60_000)
/** It ends soon: a long document, or a large picture, takes hundreds of megabytes. */
export const slowChild = createChild<Task>(2000)
