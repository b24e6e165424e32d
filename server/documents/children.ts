import { createChild } from '../queues/children'
import type { Task } from './child'

/** Makes short documents, which would otherwise wait for long ones. */
export const quickChild = createChild<Task>(60_000)
/** It ends soon: a long document, or a large picture, takes hundreds of megabytes. */
export const slowChild = createChild<Task>(2000)
